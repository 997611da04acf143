import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { SeededDice } from '../../test/support/clock.ts'
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { type Person, addPerson } from '../../test/support/sign-in.ts'
import { Refusal } from '../base/fault.ts'
import { Secret } from '../base/secret.ts'
import { openServiceKey } from '../keys/service-key.ts'
import type { Database } from '../store/database.ts'
import { createOrganization } from './create-organization.ts'
import { FAILURES_MAX } from './guess.ts'
import { logIn } from './log-in.ts'
import { openPasswordChecks } from './password-checks.ts'
import { openSessions } from './sessions.ts'

const dice = new SeededDice('names in case')
const serviceKey = openServiceKey({ key: new Uint8Array(32).fill(9), dice })
const NO_RATES = { perUser: 0, perAddress: 0 }

/** Its case is not JavaScript's: `İ` is folded to `i`, and `I` to `ı`. */
let world: TestDatabase
let orgId: string
let people = 0
beforeAll(async () => {
  world = await openTestDatabase({ language: 'tr' })
  const { organization } = await world.database.transaction((tx) =>
    createOrganization(tx, serviceKey, { name: 'A', actor: 'test', dice }),
  )
  orgId = organization.id
})
afterAll(() => world.close())
// No attempt of one test stands in the minute of another.
beforeEach(() => world.clock.advance(60_000))

/** A name of seven letters with an `i` in it; a letter of its own for each. */
function newName(): string {
  people += 1
  return `name-i${String.fromCodePoint(0x4e00 + people)}`
}

function someone(username: string): Promise<Person> {
  const office = { database: world.database, clock: world.clock, serviceKey }
  return addPerson(office, { orgId, role: 'approver', username })
}

const passwords = openPasswordChecks()
afterAll(() => passwords.close())

interface Try {
  username: string
  password?: string
  rates?: { perUser: number; perAddress: number }
}

async function codeOf(given: Try, database: Database = world.database): Promise<string> {
  const { username, password = 'wrong', rates = NO_RATES } = given
  const { clock } = world
  const sessions = openSessions({ database, serviceKey, clock, ttlSeconds: 3600 })
  const what = { username, password: new Secret(password), totpCode: 'wrong', peer: '203.0.113.7' }
  try {
    await logIn(database, { serviceKey, sessions, clock, passwords, rates }, what)
    return 'signed in'
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}

/** Spellings of a name, those that are no name and those that are another one among them. */
const SPELLINGS: [what: string, spell: (name: string) => string][] = [
  ['as it is', (name) => name],
  ['in capitals of JavaScript', (name) => name.toUpperCase()],
  ['in capitals of the database', (name) => name.toLocaleUpperCase('tr')],
  ['with one letter that the database folds', (name) => name.replace('i', '\u0130')],
  ['with one that JavaScript folds', (name) => name.replace('i', 'I')],
  ['decomposed', (name) => name.replace('i', 'i\u0307')],
  ['with half a pair', (name) => `${name.replace('i', '\u0130')}\ud800`],
  ['with a control character', (name) => `\u0000${name.replace('i', '\u0130')}`],
  ['too long', (name) => name.replace('i', '\u0130').padEnd(10_000, '\u0130')],
]

/** What is answered to a number of attempts under one spelling, then to one under each. */
async function story(name: string, spell: (name: string) => string, terms: Terms) {
  const { times, rates } = terms
  const codes: string[] = []
  for (let tries = 0; tries < times; tries += 1)
    codes.push(await codeOf({ username: spell(name), rates }))
  for (const [, other] of SPELLINGS) codes.push(await codeOf({ username: other(name), rates }))
  return codes
}

interface Terms {
  times: number
  rates: { perUser: number; perAddress: number }
}

async function expectNothingTold(spell: (name: string) => string, terms: Terms): Promise<void> {
  const [known, unknown] = [newName(), newName()]
  await someone(known)
  const codes = await story(known, spell, terms)
  expect(codes).toEqual(await story(unknown, spell, terms))
  expect(codes).toContain('RATE_LIMIT_EXCEEDED')
}

test.each(SPELLINGS)('S05 the limit of a minute tells of no name that is spelled %s', (_, spell) =>
  expectNothingTold(spell, { times: 5, rates: { perUser: 5, perAddress: 0 } }),
)

test('S05 the lock tells of no name that only the database folds', async () => {
  const [, spell] = SPELLINGS.find(([what]) => what.includes('that the database folds')) ?? []
  await expectNothingTold(spell ?? String, { times: FAILURES_MAX, rates: NO_RATES })
})

test('S04 the lock is not evaded by letters that only the database folds', async () => {
  const name = newName()
  const { password } = await someone(name)
  let evaluated = 0
  for (let tries = 0; tries < FAILURES_MAX; tries += 1)
    for (const [, spell] of SPELLINGS)
      if ((await codeOf({ username: spell(name), password })) === 'INVALID_TOTP') evaluated += 1
  expect(evaluated).toBeGreaterThan(0)
  expect(evaluated).toBeLessThanOrEqual(FAILURES_MAX)
})

test('S05 the failure that locks costs as many commits whether somebody has the name', async () => {
  const [known, unknown] = [newName(), newName()]
  await someone(known)
  const commits = async (username: string): Promise<number[]> => {
    const counts: number[] = []
    for (let tries = 0; tries < FAILURES_MAX; tries += 1) {
      let steps = 0
      const count = <T>(step: Promise<T>): Promise<T> => {
        steps += 1
        return step
      }
      await codeOf(
        { username },
        {
          ...world.database,
          asApi: (work) => count(world.database.asApi(work)),
          forOrg: (org, work) => count(world.database.forOrg(org, work)),
        },
      )
      counts.push(steps)
    }
    return counts
  }
  expect(await commits(unknown)).toEqual(await commits(known))
})
