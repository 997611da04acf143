import { sql } from 'kysely'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SeededRandom } from '../../test/support/clock.ts'
import { burst, openTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { type Person, addPerson } from '../../test/support/sign-in.ts'
import { Refusal } from '../base/fault.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { createOrganization } from './create-organization.ts'
import { FAILURES_MAX, guardGuesses } from './guess.ts'
import { consumeTotp, totpCode, totpStepAt } from './totp.ts'

const random = new SeededRandom('totp')
const serviceKey = openServiceKey({ key: new Uint8Array(32).fill(9), random })
const STEP = 30_000
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
afterAll(() => world.close())

function someone(): Promise<Person> {
  const office = { database: world.database, clock: world.clock, serviceKey }
  return addPerson(office, { orgId, role: 'approver' })
}

function consume({ userId }: Person, code: string): Promise<number> {
  const given = { orgId, userId, code, clock: world.clock }
  return world.database.forOrg(orgId, (tx) => consumeTotp(tx, serviceKey, given))
}

/** The code of the step `steps` from now. */
function codeAt({ totpSecret }: Person, steps: number): string {
  return totpCode(totpSecret, totpStepAt(world.clock.now()) + steps)
}

async function refusal(work: Promise<unknown>): Promise<[string, unknown]> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof Refusal) return [error.code, error.details['reason']]
  throw new Error('expected a refusal', { cause: error })
}

describe('a two-factor code', () => {
  test('a code equals the one of an authenticator app (RFC 6238)', async () => {
    const { totpSecret } = await someone()
    const app = new TOTP({ secret: totpSecret.reveal() })
    const at = 1_767_225_612_345
    expect(totpCode(totpSecret, totpStepAt(at))).toBe(app.generate({ timestamp: at }))
  })

  test.each([-1, 0, 1])('a code is accepted %i steps from now', async (steps) => {
    const ann = await someone()
    expect(await consume(ann, codeAt(ann, steps))).toBe(totpStepAt(world.clock.now()) + steps)
  })

  test.each([-3, -2, 2, 3])('a code is refused %i steps from now [S03]', async (steps) => {
    const ann = await someone()
    expect(await refusal(consume(ann, codeAt(ann, steps)))).toEqual(['INVALID_TOTP', undefined])
  })

  test.each(['', '12345', '1234567', '12 345', 'abcdef', '１２３４５６', '-12345', '1e5000'])(
    'a code that is not six digits is refused: %j',
    async (code) => {
      const ann = await someone()
      expect(await refusal(consume(ann, code))).toEqual(['INVALID_TOTP', undefined])
    },
  )

  test('a code is accepted once [S03]', async () => {
    const ann = await someone()
    const code = ann.codeNow()
    await consume(ann, code)
    for (let again = 0; again < 3; again += 1)
      expect(await refusal(consume(ann, code))).toEqual(['INVALID_TOTP', 'CODE_ALREADY_USED'])
  })

  test('a code sent fifty times concurrently is accepted once [S03]', async () => {
    const ann = await someone()
    const code = ann.codeNow()
    const outcomes = await burst(50, CONNECTIONS, async () => {
      const [outcome] = await Promise.allSettled([consume(ann, code)])
      return outcome.status
    })
    expect(outcomes.filter((status) => status === 'fulfilled')).toHaveLength(1)
  })

  test('a used code invalidates earlier codes [S03]', async () => {
    const ann = await someone()
    await consume(ann, codeAt(ann, 1))
    for (const steps of [0, -1])
      expect(await refusal(consume(ann, codeAt(ann, steps)))).toEqual([
        'INVALID_TOTP',
        'CODE_ALREADY_USED',
      ])
    await world.clock.advance(STEP)
    expect(await refusal(consume(ann, ann.codeNow()))).toEqual([
      'INVALID_TOTP',
      'CODE_ALREADY_USED',
    ])
    await consume(ann, codeAt(ann, 1))
  })

  test('a code is still valid after a rollback [S03]', async () => {
    const ann = await someone()
    const code = ann.codeNow()
    const given = { orgId, userId: ann.userId, code, clock: world.clock }
    const undone = world.database.forOrg(orgId, async (tx) => {
      await consumeTotp(tx, serviceKey, given)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await consume(ann, code)
  })

  test("another user's code is refused, as is any code without a TOTP secret", async () => {
    const [ann, bob] = [await someone(), await someone()]
    expect(await refusal(consume(ann, bob.codeNow()))).toEqual(['INVALID_TOTP', undefined])
    const { id } = await world.database.transaction((tx) =>
      tx.one(sql<{ id: string }>`select id from users where org_id = ${orgId} and role = 'api'`),
    )
    const api = { ...ann, userId: id }
    expect(await refusal(consume(api, ann.codeNow()))).toEqual(['INVALID_TOTP', undefined])
  })

  test('a TOTP secret moved to another user cannot be opened [S03]', async () => {
    const [ann, bob] = [await someone(), await someone()]
    await world.database.transaction((tx) =>
      tx.run(sql`
        update users set totp_secret = (select totp_secret from users where id = ${bob.userId})
         where id = ${ann.userId}`),
    )
    await expect(consume(ann, bob.codeNow())).rejects.toThrow('does not open')
  })
})

describe('guessing a code', () => {
  const PEER = '203.0.113.7'
  const guess = (person: Person, code: string, peer = PEER) =>
    guardGuesses(world.database, serviceKey, { ...person, peer }, () => consume(person, code))
  const wrongFor = (person: Person) => {
    const near = [-1, 0, 1].map((steps) => codeAt(person, steps))
    return ['000000', '111111', '222222', '333333'].find((code) => !near.includes(code)) ?? ''
  }

  test('a right code is refused after ten failures in a row [S04]', async () => {
    const ann = await someone()
    for (let failures = 0; failures < FAILURES_MAX; failures += 1)
      expect((await refusal(guess(ann, wrongFor(ann))))[0]).toBe('INVALID_TOTP')
    await expect(guess(ann, ann.codeNow())).rejects.toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      details: { retryAfterSeconds: 900 },
    })
    await world.clock.advance(900_000)
    await guess(ann, ann.codeNow())
  })

  test('guesses lock their address only, not a known one [S04]', async () => {
    const ann = await someone()
    const home = '198.51.100.1'
    await guess(ann, ann.codeNow(), home)
    for (let at = 0; at < 5 * FAILURES_MAX; at += 1)
      await refusal(guess(ann, wrongFor(ann), `10.0.${at}.1`))
    await world.clock.advance(60_000)
    await guess(ann, ann.codeNow(), home)
  })

  test('guesses from many addresses are slowed to one a minute after ten failures', async () => {
    const ann = await someone()
    const codes = []
    for (let at = 0; at < 40; at += 1)
      codes.push((await refusal(guess(ann, wrongFor(ann), `10.1.${at}.1`)))[0])
    expect(codes.filter((code) => code === 'INVALID_TOTP')).toHaveLength(FAILURES_MAX + 1)
  })

  test('ten of two hundred concurrent guesses are checked [S04]', async () => {
    const ann = await someone()
    let looked = 0
    const outcomes = await burst(200, CONNECTIONS, async () => {
      const guarded = guardGuesses(world.database, serviceKey, { ...ann, peer: PEER }, () => {
        looked += 1
        return consume(ann, wrongFor(ann))
      })
      return (await refusal(guarded))[0]
    })
    expect(new Set(outcomes)).toEqual(new Set(['INVALID_TOTP', 'RATE_LIMIT_EXCEEDED']))
    expect(looked).toBe(FAILURES_MAX)
  })

  test('the count restarts after a success and counts only real guesses [S04]', async () => {
    const ann = await someone()
    for (let failures = 0; failures < FAILURES_MAX - 1; failures += 1)
      await refusal(guess(ann, wrongFor(ann)))
    const other = guardGuesses(world.database, serviceKey, { ...ann, peer: PEER }, async () => {
      throw new Refusal('WITHDRAWAL_NOT_FOUND')
    })
    expect((await refusal(other))[0]).toBe('WITHDRAWAL_NOT_FOUND')
    await guess(ann, ann.codeNow())
    for (let failures = 0; failures < FAILURES_MAX; failures += 1)
      expect((await refusal(guess(ann, wrongFor(ann))))[0]).toBe('INVALID_TOTP')
    expect((await refusal(guess(ann, wrongFor(ann))))[0]).toBe('RATE_LIMIT_EXCEEDED')
  })
})
