import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { SeededRandom } from '../../test/support/clock.ts'
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

const random = new SeededRandom('names in case')
const serviceKey = openServiceKey({ key: new Uint8Array(32).fill(9), random })
const NO_RATES = { perUser: 0, perAddress: 0 }

/** Turkish case rules: `İ` is folded to `i`, and `I` to `ı`. */
let world: TestDatabase
let orgId: string
let people = 0
beforeAll(async () => {
  world = await openTestDatabase({ language: 'tr' })
  const { organization } = await world.database.transaction((tx) =>
    createOrganization(tx, serviceKey, { name: 'A', actor: 'test', random }),
  )
  orgId = organization.id
})
afterAll(() => world.close())
// Each test uses a separate minute.
beforeEach(() => world.clock.advance(60_000))

/** A unique name of seven letters with an `i` in it. */
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

/** Spellings of a name, including invalid ones and other names. */
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

/** The answers to several attempts with one spelling, then to one with each spelling. */
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

test.each(SPELLINGS)('the limit per minute does not reveal a name spelled %s [S05]', (_, spell) =>
  expectNothingTold(spell, { times: 5, rates: { perUser: 5, perAddress: 0 } }),
)

test('the lock does not reveal a name that only the database folds [S05]', async () => {
  const [, spell] = SPELLINGS.find(([what]) => what.includes('the database folds')) ?? []
  await expectNothingTold(spell ?? String, { times: FAILURES_MAX, rates: NO_RATES })
})

test('letters that only the database folds do not evade the lock [S04]', async () => {
  const name = newName()
  const { password } = await someone(name)
  let evaluated = 0
  for (let tries = 0; tries < FAILURES_MAX; tries += 1)
    for (const [, spell] of SPELLINGS)
      if ((await codeOf({ username: spell(name), password })) === 'INVALID_TOTP') evaluated += 1
  expect(evaluated).toBeGreaterThan(0)
  expect(evaluated).toBeLessThanOrEqual(FAILURES_MAX)
})

test('the failure that locks costs as many commits for an unknown name [S05]', async () => {
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
