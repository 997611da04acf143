import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { SeededDice } from '../../test/support/clock.ts'
import { burst, openTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { type Person, addPerson } from '../../test/support/sign-in.ts'
import { Outage, Refusal } from '../base/fault.ts'
import { Secret } from '../base/secret.ts'
import { listAudit } from '../journal/list-audit.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { disableUser } from './change-user.ts'
import { createOrganization } from './create-organization.ts'
import { FAILURES_MAX } from './guess.ts'
import { logIn } from './log-in.ts'
import { hashPassword } from './password.ts'
import { type VerifyHash, boundChecks, openPasswordChecks } from './password-checks.ts'
import { resetPassword } from './reset-credentials.ts'
import { type AccessToken, openSessions } from './sessions.ts'
import { unlockUser } from './unlock-user.ts'
import { tidySignIn } from './tidy-sign-in.ts'

const dice = new SeededDice('log in')
const serviceKey = openServiceKey({ key: new Uint8Array(32).fill(9), dice })
const LOCK_MS = 900_000
const MINUTE = 60_000
const NO_RATES = { perUser: 0, perAddress: 0 }
const RATES = { perUser: 5, perAddress: 20 }
const threads = openPasswordChecks(2_000)
const verify = vi.fn<VerifyHash>((hash, password) =>
  threads.inTurn((compare) => compare(hash, password)),
)
const passwords = boundChecks({ verify, close: () => threads.close() }, 2_000)

const CONNECTIONS = 20

let world: TestDatabase
let orgId: string
beforeAll(async () => {
  world = await openTestDatabase({ poolMax: CONNECTIONS })
  const { organization } = await world.database.transaction((tx) =>
    createOrganization(tx, serviceKey, { name: 'A', actor: 'test', dice }),
  )
  orgId = organization.id
})
afterAll(async () => {
  await passwords.close()
  await world.close()
})
beforeEach(() => world.clock.advance(MINUTE))

function someone(): Promise<Person> {
  const office = { database: world.database, clock: world.clock, serviceKey }
  return addPerson(office, { orgId, role: 'approver' })
}

interface Try {
  username: string
  password?: string
  totpCode?: string
  peer?: string
  rates?: { perUser: number; perAddress: number }
}

function attempt(given: Try, database = world.database): Promise<AccessToken> {
  const { username, password = 'wrong', totpCode = '000000', peer = '203.0.113.7' } = given
  const { clock } = world
  const sessions = openSessions({ database, serviceKey, clock, ttlSeconds: 3600 })
  const means = { serviceKey, sessions, clock, passwords, rates: given.rates ?? NO_RATES }
  return logIn(database, means, { username, password: new Secret(password), totpCode, peer })
}

/** Right in everything but what is changed. */
async function rightly(person: Person, changes: Partial<Try> = {}): Promise<Try> {
  const { username, password } = person
  return { username, password, totpCode: await person.code(), ...changes }
}

async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof Refusal) return error
  throw new Error('it was not refused', { cause: error })
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return (await refusalOf(work)).code
}

describe('signing in', () => {
  test('takes name, password and code, the name in any case', async () => {
    const ann = await someone()
    const { accessToken, expiresIn } = await attempt(await rightly(ann))
    expect([accessToken.split('.').length, expiresIn]).toEqual([3, 3600])
    await attempt(await rightly(ann, { username: ann.username.toUpperCase() }))
    const [entry] = await world.database.transaction((tx) => listAudit(tx, { orgId }))
    expect(entry).toMatchObject({ actor: `user:${ann.userId}`, action: 'session.begin' })
  })

  test('S05 answers alike to a name that nobody has and to a wrong password', async () => {
    const ann = await someone()
    const disabled = await someone()
    await world.database.transaction((tx) =>
      disableUser(tx, serviceKey, { user: disabled.userId, actor: 'test' }, async () => []),
    )
    const answers = await Promise.all(
      [
        { username: 'nobody-at-all' },
        { username: 'a\u0000b' },
        { username: 'half a pair: \ud800' },
        { username: '' },
        { username: 'x'.repeat(10_000) },
        { username: ann.username },
        { username: ann.username, password: '' },
        { username: ann.username, totpCode: ann.codeNow() },
        { username: `api-${orgId}`, password: '' },
        { username: `api-${orgId}` },
        await rightly(disabled),
      ].map((one) => refusalOf(attempt(one))),
    )
    const [first] = answers
    for (const answer of answers)
      expect([answer.code, answer.message, answer.details]).toEqual([
        'UNAUTHORIZED',
        first?.message,
        {},
      ])
  })

  test('S05 does the same work for a name that nobody has', async () => {
    const ann = await someone()
    const terms = async (username: string) => {
      verify.mockClear()
      await refusalOf(attempt({ username }))
      return verify.mock.calls.map(([stored]) => shapeOf(stored))
    }
    const [known, unknown, api] = [
      await terms(ann.username),
      await terms('nobody-at-all'),
      await terms(`api-${orgId}`),
    ]
    expect(known).toHaveLength(1)
    expect(known[0]).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$x+\$x+$/)
    expect([unknown, api]).toEqual([known, known])
  })

  test('S05 looks at the code only after a right password', async () => {
    const ann = await someone()
    const code = await ann.code()
    const { username, password } = ann
    expect(await codeOf(attempt({ username, totpCode: code }))).toBe('UNAUTHORIZED')
    expect(await codeOf(attempt({ username, password, totpCode: '' }))).toBe('INVALID_TOTP')
    await attempt({ username, password, totpCode: code })
  })

  test('S03 takes a code once, fifty times at once too', async () => {
    const ann = await someone()
    const given = await rightly(ann)
    const signedIn = () => 'signed in'
    const outcomes = await burst(50, CONNECTIONS, () => {
      const work = attempt(given)
      return work.then(signedIn, () => codeOf(work))
    })
    expect(outcomes.filter((outcome) => outcome === signedIn())).toHaveLength(1)
    // Attempts that begin after the successful one are failures in a row, which lock the name.
    const known = [signedIn(), 'INVALID_TOTP', 'RATE_LIMIT_EXCEEDED']
    expect(outcomes).toContain('INVALID_TOTP')
    expect(known).toEqual(expect.arrayContaining(outcomes))
  })

  test('S03 says of a code that was taken that it was', async () => {
    const given = await rightly(await someone())
    await attempt(given)
    const again = await refusalOf(attempt(given))
    expect([again.code, again.details]).toEqual(['INVALID_TOTP', { reason: 'CODE_ALREADY_USED' }])
  })

  test('S02 with a password that is being replaced does not outlive it', async () => {
    const ann = await someone()
    const given = await rightly(ann)
    // The password is found right, and replaced before the session begins.
    verify.mockImplementationOnce(async () => {
      const change = { user: ann.userId, actor: 'test', dice }
      await world.database.transaction((tx) => resetPassword(tx, serviceKey, change))
      return true
    })
    expect(await codeOf(attempt(given))).toBe('UNAUTHORIZED')
  })

  test('S02 whom the database was made to call active stays out', async () => {
    const ann = await someone()
    await world.database.transaction(async (tx) => {
      const change = { user: ann.userId, actor: 'test' }
      await disableUser(tx, serviceKey, change, async () => [])
      await tx.run(sql`update users set status = 'active' where id = ${ann.userId}`)
    })
    expect(await codeOf(attempt(await rightly(ann)))).toBe('UNAUTHORIZED')
  })
})

describe('a name', () => {
  test('A13 takes no password that somebody wrote into the database', async () => {
    const [ann, bob] = [await someone(), await someone()]
    const own = await hashPassword(dice, new Secret('of a thief'))
    const write = (kept: ReturnType<typeof sql>) =>
      world.database.transaction((tx) =>
        tx.run(sql`update users set password_hash = ${kept} where id = ${ann.userId}`),
      )
    const bobs = sql`(select password_hash from users where id = ${bob.userId})`
    const macOfAnn = sql`split_part(password_hash, ' ', 2)`
    for (const [kept, password] of [
      [sql`${own}`, 'of a thief'],
      [sql`${own} || ' ' || ${macOfAnn}`, 'of a thief'],
      [bobs, bob.password],
    ] as const) {
      await write(kept)
      expect(await codeOf(attempt(await rightly(ann, { password })))).toBe('UNAUTHORIZED')
      expect(await codeOf(attempt(await rightly(ann)))).toBe('UNAUTHORIZED')
    }
    expect((await attempt(await rightly(bob))).accessToken).toMatch(/^ey/)
  })

  test('locks its address for 15 minutes after ten failures in a row [S04]', async () => {
    const ann = await someone()
    const { username } = ann
    for (let failures = 0; failures < FAILURES_MAX; failures += 1)
      expect(await codeOf(attempt({ username }))).toBe('UNAUTHORIZED')
    const locked = await refusalOf(attempt(await rightly(ann)))
    expect([locked.code, locked.details]).toEqual([
      'RATE_LIMIT_EXCEEDED',
      { retryAfterSeconds: LOCK_MS / 1000 },
    ])
    const [entry] = await world.database.transaction((tx) => listAudit(tx, { orgId }))
    expect(entry).toMatchObject({
      action: 'user.lock',
      object: ann.userId,
      details: { failures: FAILURES_MAX, address: '203.0.113.7' },
    })
    await world.clock.advance(LOCK_MS - 1)
    expect(await codeOf(attempt(await rightly(ann, { totpCode: ann.codeNow() })))).toBe(
      'RATE_LIMIT_EXCEEDED',
    )
    await world.clock.advance(1)
    await attempt(await rightly(ann))
  })

  test('stays open at an address where it signed in, whatever others guess [S04]', async () => {
    const ann = await someone()
    const home = { peer: '198.51.100.1' }
    await attempt(await rightly(ann, home))
    const { username } = ann
    for (let at = 0; at < 5 * FAILURES_MAX; at += 1)
      await refusalOf(attempt({ username, rates: RATES, peer: `10.0.${at}.1` }))
    for (let times = 0; times < 3; times += 1)
      await attempt(await rightly(ann, { ...home, rates: RATES }))
  })

  test('is open again for every address after an operator unlocked it', async () => {
    const ann = await someone()
    const { username } = ann
    for (let failures = 0; failures < FAILURES_MAX; failures += 1)
      await refusalOf(attempt({ username }))
    for (let at = 0; at < 3; at += 1) await refusalOf(attempt({ username, peer: `10.2.${at}.1` }))
    const change = { user: username, actor: 'cli:test' }
    const user = await world.database.transaction((tx) => unlockUser(tx, serviceKey, change))
    expect(user.id).toBe(ann.userId)
    expect(await codeOf(attempt({ username }))).toBe('UNAUTHORIZED')
    await attempt(await rightly(ann, { peer: '192.0.2.3' }))
    const audit = await world.database.transaction((tx) => listAudit(tx, { orgId }))
    expect(audit).toContainEqual(
      expect.objectContaining({ action: 'user.unlock', object: ann.userId, actor: 'cli:test' }),
    )
  })

  test('that does not exist locks its address as well, in whatever case [S04]', async () => {
    for (let failures = 0; failures < FAILURES_MAX; failures += 1)
      await refusalOf(attempt({ username: failures % 2 === 0 ? 'No-Body' : 'nO-bODY' }))
    expect(await codeOf(attempt({ username: 'no-body' }))).toBe('RATE_LIMIT_EXCEEDED')
    expect(await codeOf(attempt({ username: 'no-body-else' }))).toBe('UNAUTHORIZED')
  })

  test.each([
    ['password', { password: 'wrong' }],
    ['code', { totpCode: '000000' }],
  ])('S04 has ten guesses at its %s looked at, however many come at once', async (_what, wrong) => {
    const ann = await someone()
    const given = await rightly(ann, wrong)
    const outcomes = await burst(60, CONNECTIONS, (at) =>
      codeOf(attempt({ ...given, peer: `10.0.${at}` })),
    )
    const refused = outcomes.filter((code) => code === 'RATE_LIMIT_EXCEEDED')
    // One more is the first of the minute of a name that is slowed.
    expect(refused).toHaveLength(outcomes.length - FAILURES_MAX - 1)
  })

  test('S04 has its failures forgotten by a success, and by a day', async () => {
    const ann = await someone()
    const { username } = ann
    const failOften = async () => {
      for (let failures = 0; failures < FAILURES_MAX - 1; failures += 1)
        expect(await codeOf(attempt({ username }))).toBe('UNAUTHORIZED')
    }
    await failOften()
    await attempt(await rightly(ann))
    await failOften()
    await world.clock.advance(2 * 86_400_000)
    await tidySignIn(world.database, world.clock)
    await failOften()
    await attempt(await rightly(ann))
  })
})

describe('attempts', () => {
  const rates = RATES

  test('S12 under one name are five a minute, from wherever they come', async () => {
    const ann = await someone()
    await attempt(await rightly(ann, { rates }))
    const { username } = ann
    for (let tries = 0; tries < 4; tries += 1)
      await codeOf(attempt({ username, rates, peer: `10.0.0.${tries}` }))
    const late = await refusalOf(attempt(await rightly(ann, { rates, peer: '10.0.1.1' })))
    expect(late.code).toBe('RATE_LIMIT_EXCEEDED')
    expect(late.details['retryAfterSeconds']).toBeGreaterThan(0)
    expect(late.details['retryAfterSeconds']).toBeLessThanOrEqual(60)
    await world.clock.advance(MINUTE)
    await attempt(await rightly(ann, { rates, peer: '10.0.1.1' }))
  })

  test('S12 from one address are twenty a minute, under whatever names', async () => {
    const codes = []
    for (let tries = 0; tries < 25; tries += 1)
      codes.push(await codeOf(attempt({ username: `guess-${tries}`, rates })))
    expect(codes).toEqual([
      ...Array(20).fill('UNAUTHORIZED'),
      ...Array(5).fill('RATE_LIMIT_EXCEEDED'),
    ])
    const ann = await someone()
    expect(await codeOf(attempt(await rightly(ann, { rates })))).toBe('RATE_LIMIT_EXCEEDED')
    await attempt(await rightly(ann, { rates, peer: '203.0.113.8' }))
  })

  test('S12 are counted by all processes together', async () => {
    const outcomes = await burst(100, CONNECTIONS, (at) =>
      codeOf(attempt({ username: `many-${at}`, rates })),
    )
    expect(outcomes.filter((code) => code === 'UNAUTHORIZED')).toHaveLength(20)
  })

  test('S13 that cannot be counted sign nobody in', async () => {
    const ann = await someone()
    const away = async () => Promise.reject(new Outage('database', 'away'))
    verify.mockClear()
    await expect(attempt(await rightly(ann), { ...world.database, asApi: away })).rejects.toThrow(
      Outage,
    )
    expect(verify).not.toHaveBeenCalled()
  })
})

/** A hash with its salt and its tag struck out. */
function shapeOf(stored: string): string {
  const [, kind, version, terms, salt = '', tag = ''] = stored.split('$')
  return `$${kind}$${version}$${terms}$${'x'.repeat(salt.length)}$${'x'.repeat(tag.length)}`
}
