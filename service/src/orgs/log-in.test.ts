import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { SeededRandom } from '../../test/support/clock.ts'
import { burst, openTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { type Person, addPerson } from '../../test/support/sign-in.ts'
import { Outage, Refusal } from '../base/fault.ts'
import { Secret } from '../base/secret.ts'
import { listAudit } from '../audit-log/list-audit.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { disableUser } from './change-user.ts'
import { createOrganization } from './create-organization.ts'
import { FAILURES_MAX } from './guess.ts'
import { logIn } from './log-in.ts'
import { hashPassword } from './password.ts'
import { type VerifyHash, boundChecks, openPasswordChecks } from './password-checks.ts'
import { type AccessToken, openSessions } from './sessions.ts'
import { unlockUser } from './unlock-user.ts'
import { tidySignIn } from './tidy-sign-in.ts'
import { updatePassword } from './user-rows.ts'

const random = new SeededRandom('log in')
const serviceKey = openServiceKey({ key: new Uint8Array(32).fill(9), random })
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
    createOrganization(tx, serviceKey, { name: 'A', actor: 'test', random }),
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
  const deps = { serviceKey, sessions, clock, passwords, rates: given.rates ?? NO_RATES }
  return logIn(database, deps, { username, password: new Secret(password), totpCode, peer })
}

/** Correct credentials except for the overrides. */
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
  test('a sign-in accepts name, password and code, with the name in any case', async () => {
    const ann = await someone()
    const { accessToken, expiresIn } = await attempt(await rightly(ann))
    expect([accessToken.split('.').length, expiresIn]).toEqual([3, 3600])
    await attempt(await rightly(ann, { username: ann.username.toUpperCase() }))
    const [entry] = await world.database.transaction((tx) => listAudit(tx, { orgId }))
    expect(entry).toMatchObject({ actor: `user:${ann.userId}`, action: 'session.begin' })
  })

  test('a sign-in has the same answer for an unknown name and a wrong password [S05]', async () => {
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

  test('a sign-in does the same work for an unknown name [S05]', async () => {
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

  test('a sign-in checks the code only after a right password [S05]', async () => {
    const ann = await someone()
    const code = await ann.code()
    const { username, password } = ann
    expect(await codeOf(attempt({ username, totpCode: code }))).toBe('UNAUTHORIZED')
    expect(await codeOf(attempt({ username, password, totpCode: '' }))).toBe('INVALID_TOTP')
    await attempt({ username, password, totpCode: code })
  })

  test('fifty concurrent sign-ins with one code succeed once [S03]', async () => {
    const ann = await someone()
    const given = await rightly(ann)
    const signedIn = () => 'signed in'
    const outcomes = await burst(50, CONNECTIONS, () => {
      const work = attempt(given)
      return work.then(signedIn, () => codeOf(work))
    })
    expect(outcomes.filter((outcome) => outcome === signedIn())).toHaveLength(1)
    // Attempts after the successful one are failures in a row, which lock the name.
    const known = [signedIn(), 'INVALID_TOTP', 'RATE_LIMIT_EXCEEDED']
    expect(outcomes).toContain('INVALID_TOTP')
    expect(known).toEqual(expect.arrayContaining(outcomes))
  })

  test('a sign-in reports that a code was already used [S03]', async () => {
    const given = await rightly(await someone())
    await attempt(given)
    const again = await refusalOf(attempt(given))
    expect([again.code, again.details]).toEqual(['INVALID_TOTP', { reason: 'CODE_ALREADY_USED' }])
  })

  test('a sign-in fails when its password is replaced meanwhile [S02]', async () => {
    const ann = await someone()
    const given = await rightly(ann)
    // The password is replaced between its check and the start of the session.
    verify.mockImplementationOnce(async () => {
      const change = { orgId, id: ann.userId, passwordHash: 'another' }
      await world.database.transaction((tx) => updatePassword(tx, change))
      return true
    })
    expect(await codeOf(attempt(given))).toBe('UNAUTHORIZED')
  })

  test('a user activated in the database cannot sign in [S02]', async () => {
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
  test('a sign-in refuses a password hash inserted in the database [A13]', async () => {
    const [ann, bob] = [await someone(), await someone()]
    const own = await hashPassword(random, new Secret('of a thief'))
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

  test('ten failures in a row lock a name for an address for 15 minutes [S04]', async () => {
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

  test('a name is not locked at its known address by guesses from others [S04]', async () => {
    const ann = await someone()
    const home = { peer: '198.51.100.1' }
    await attempt(await rightly(ann, home))
    const { username } = ann
    for (let at = 0; at < 5 * FAILURES_MAX; at += 1)
      await refusalOf(attempt({ username, rates: RATES, peer: `10.0.${at}.1` }))
    for (let times = 0; times < 3; times += 1)
      await attempt(await rightly(ann, { ...home, rates: RATES }))
  })

  test('an unlock by an operator ends the locks of a name for every address', async () => {
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

  test('an unknown name is locked for an address as well, in any case [S04]', async () => {
    for (let failures = 0; failures < FAILURES_MAX; failures += 1)
      await refusalOf(attempt({ username: failures % 2 === 0 ? 'No-Body' : 'nO-bODY' }))
    expect(await codeOf(attempt({ username: 'no-body' }))).toBe('RATE_LIMIT_EXCEEDED')
    expect(await codeOf(attempt({ username: 'no-body-else' }))).toBe('UNAUTHORIZED')
  })

  test.each([
    ['password', { password: 'wrong' }],
    ['code', { totpCode: '000000' }],
  ])('ten of many concurrent guesses at a %s are checked [S04]', async (_what, wrong) => {
    const ann = await someone()
    const given = await rightly(ann, wrong)
    const outcomes = await burst(60, CONNECTIONS, (at) =>
      codeOf(attempt({ ...given, peer: `10.0.${at}` })),
    )
    const refused = outcomes.filter((code) => code === 'RATE_LIMIT_EXCEEDED')
    // One more is the first guess of the minute of a slowed name.
    expect(refused).toHaveLength(outcomes.length - FAILURES_MAX - 1)
  })

  test('the failures of a name are reset by a success and after a day [S04]', async () => {
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

  test('attempts with one name are limited to five a minute from all addresses [S12]', async () => {
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

  test('attempts from one address are limited to twenty a minute [S12]', async () => {
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

  test('attempts are counted across processes [S12]', async () => {
    const outcomes = await burst(100, CONNECTIONS, (at) =>
      codeOf(attempt({ username: `many-${at}`, rates })),
    )
    expect(outcomes.filter((code) => code === 'UNAUTHORIZED')).toHaveLength(20)
  })

  test('a sign-in fails when attempts cannot be counted [S13]', async () => {
    const ann = await someone()
    const away = async () => Promise.reject(new Outage('database', 'away'))
    verify.mockClear()
    await expect(attempt(await rightly(ann), { ...world.database, asApi: away })).rejects.toThrow(
      Outage,
    )
    expect(verify).not.toHaveBeenCalled()
  })
})

/** A hash without its salt and tag. */
function shapeOf(stored: string): string {
  const [, kind, version, terms, salt = '', tag = ''] = stored.split('$')
  return `$${kind}$${version}$${terms}$${'x'.repeat(salt.length)}$${'x'.repeat(tag.length)}`
}
