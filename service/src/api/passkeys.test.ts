import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  addPasskey,
  beginPasskey,
  type Changes,
  passkeyRefused,
  passkeysOf,
  removePasskey,
  SoftAuthenticator,
  storePasskey,
} from '../../test/support/authenticator.ts'
import { refusalIn } from '../../test/support/door.ts'
import { askAsAdmin } from '../../test/support/people.ts'
import { type Desk, openDesk, type Signer } from '../../test/support/withdrawal-desk.ts'

const MINUTE_MS = 60_000
const NOBODY = '019b76da-0000-7000-8000-000000000000'

let desk: Desk
let ann: Signer
let ben: Signer
let phone: SoftAuthenticator

beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.close())
// A session lasts an hour, and each test lets time pass.
beforeEach(async () => {
  ann = await desk.signer()
  ben = await desk.signer()
  phone = new SoftAuthenticator()
})

describe('the passkeys of a person', () => {
  test('are added, listed, renamed and removed', async () => {
    const id = await addPasskey(ben, phone)
    const passkey = { id, name: 'Phone', createdAt: expect.any(String), lastUsedAt: null }
    const origin = 'https://sluice.example.com'
    expect(await passkeysOf(ben)).toEqual({ passkeys: [passkey], origin })
    expect(await passkeysOf(ann)).toEqual({ passkeys: [], origin })
    const renamed = await ben.ask(`/auth/passkeys/${id}`, 'PATCH', { name: 'Laptop' })
    expect(renamed.json).toEqual({ passkey: { ...passkey, name: 'Laptop' } })
    expect(await removePasskey(desk.door, ben, id)).toMatchObject({ status: 200, json: {} })
    expect(await passkeysOf(ben)).toEqual({ passkeys: [], origin })
    const log = await desk.rows(`
      select actor, action, details ->> 'passkeyId' as passkey, details ->> 'name' as name
        from audit_log
       where object = '${ben.userId}'
         and action like '%passkey'
       order by id`)
    const by = { actor: `user:${ben.userId}`, passkey: id }
    expect(log).toEqual([
      { ...by, action: 'user.add-passkey', name: 'Phone' },
      { ...by, action: 'user.rename-passkey', name: 'Laptop' },
      { ...by, action: 'user.remove-passkey', name: 'Laptop' },
    ])
  })

  test('are not changed without a fresh code', async () => {
    const id = await addPasskey(ben, phone)
    const required = { error: 'INVALID_TOTP', details: { reason: 'CODE_REQUIRED' } }
    const begun = await ben.ask('/auth/passkeys/options', 'POST', {})
    expect(refusalIn(begun)).toMatchObject(required)
    const removed = await ben.ask(`/auth/passkeys/${id}`, 'DELETE')
    expect(refusalIn(removed)).toMatchObject(required)
    const named = { name: 'x', totpCode: '000000' }
    const renamed = await ben.ask(`/auth/passkeys/${id}`, 'PATCH', named)
    expect(refusalIn(renamed)).toMatchObject({ error: 'INVALID_TOTP' })
    expect(await passkeysOf(ben)).toMatchObject({ passkeys: [{ id, name: 'Phone' }] })
  })

  test('of another person are unknown [S09]', async () => {
    const id = await addPasskey(ben, phone)
    const renamed = await ann.ask(`/auth/passkeys/${id}`, 'PATCH', { name: 'mine' })
    expect(refusalIn(renamed)).toMatchObject({ error: 'NOT_FOUND', details: { id } })
    expect(refusalIn(await removePasskey(desk.door, ann, id))).toMatchObject({ error: 'NOT_FOUND' })
    expect(refusalIn(await removePasskey(desk.door, ann, NOBODY))).toMatchObject({
      error: 'NOT_FOUND',
    })
    expect(await passkeysOf(ben)).toMatchObject({ passkeys: [{ id, name: 'Phone' }] })
  })

  test.each<[string, Changes, string]>([
    ['of another site', { origin: 'https://sluice.example.org' }, 'origin'],
    ['bound to another host name', { rpId: 'example.com' }, 'origin'],
    ['of an unchecked user', { isVerified: false }, 'user_verification'],
  ])('%s are not added', async (_what, changes, reason) => {
    const credential = phone.create(await beginPasskey(ben), changes)
    const answer = await storePasskey(ben, { name: 'Phone', credential })
    expect(refusalIn(answer)).toMatchObject(passkeyRefused(reason))
    expect(await passkeysOf(ben)).toMatchObject({ passkeys: [] })
  })

  test('are added once, in time, and before another code is used', async () => {
    const challenge = await beginPasskey(ben)
    const store = (challenged: string, authenticator = phone) =>
      storePasskey(ben, { name: 'Phone', credential: authenticator.create(challenged) })
    expect(refusalIn(await store('bm90IHRoaXMgb25l'))).toMatchObject(passkeyRefused('challenge'))
    expect((await store(challenge)).status).toBe(201)
    const other = new SoftAuthenticator()
    expect(refusalIn(await store(challenge, other))).toMatchObject(passkeyRefused('challenge'))
    expect(refusalIn(await store(await beginPasskey(ben)))).toMatchObject(passkeyRefused('known'))
    const interrupted = await beginPasskey(ben)
    await beginPasskey(ben)
    expect(refusalIn(await store(interrupted, other))).toMatchObject(passkeyRefused('challenge'))
    const late = await beginPasskey(ben)
    await desk.door.harness.clock.advance(12 * MINUTE_MS)
    expect(refusalIn(await store(late, other))).toMatchObject(passkeyRefused('expired'))
    expect(await passkeysOf(ben)).toMatchObject({ passkeys: [{ name: 'Phone' }] })
  })

  test('are added by the session that began', async () => {
    const credential = phone.create(await beginPasskey(ben))
    const answer = await storePasskey(ann, { name: 'Phone', credential })
    expect(refusalIn(answer)).toMatchObject(passkeyRefused('challenge'))
  })

  test('are ten at most', async () => {
    for (let count = 0; count < 10; count += 1)
      await addPasskey(ben, new SoftAuthenticator(), `Key ${count}`)
    const body = { totpCode: await ben.code() }
    const answer = await ben.ask('/auth/passkeys/options', 'POST', body)
    expect(refusalIn(answer)).toMatchObject(passkeyRefused('limit'))
  })

  test('are removed when an admin resets the person', async () => {
    await addPasskey(ben, phone)
    const admin = await desk.signer('admin')
    const path = `/users/${ben.userId}/reset`
    expect((await askAsAdmin(desk, admin, { path, method: 'POST' })).status).toBe(200)
    expect(await desk.rows(`select id from passkeys where user_id = '${ben.userId}'`)).toEqual([])
  })
})
