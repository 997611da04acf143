import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Answered, type Door, SETTINGS, openDoor } from '../../../test/support/door.ts'
import { type Person, addPerson, officeOf, signIn } from '../../../test/support/sign-in.ts'

let door: Door
let admin: Person
let session: Awaited<ReturnType<typeof signIn>>

beforeEach(async () => {
  door = await openDoor()
  admin = await addPerson(officeOf(door), { orgId: door.a.orgId, role: 'admin' })
  await addPerson(officeOf(door), { orgId: door.a.orgId, role: 'approver' })
  session = await signIn(door, admin)
})
afterEach(() => door.close())

const ROUTES: [path: string, body: Record<string, unknown> | null][] = [
  ['/organisation/api-key', null],
  ['/organisation/webhook', { webhookUrl: 'https://hooks.example.org/' }],
  ['/organisation/webhook/signing-secret', null],
  ['/organisation/min-withdrawal-signers', { minWithdrawalSigners: 2 }],
]

interface Sent {
  inBody?: string
  inHeader?: string
  as?: typeof session
}

function patch(
  path: string,
  body: Record<string, unknown> | null,
  { inBody, inHeader, as = session }: Sent = {},
): Promise<Answered> {
  const all = inBody === undefined ? body : { ...body, totpCode: inBody }
  const headers = {
    ...as.headers,
    ...(all !== null && { 'content-type': 'application/json' }),
    ...(inHeader !== undefined && { 'x-totp-code': inHeader }),
  }
  const sent = all === null ? {} : { body: JSON.stringify(all) }
  return door.ask(path, { ...as, method: 'PATCH', headers, ...sent })
}

const settings = async () => {
  const { webhookUrl, webhookSigningSecret, minWithdrawalSigners } = (
    await door.ask('/organisation')
  ).json
  return { webhookUrl, webhookSigningSecret, minWithdrawalSigners }
}

describe.each(ROUTES)('PATCH %s', (path, body) => {
  test('refuses a person without a code, and changes nothing', async () => {
    const before = await settings()
    const { status, json } = await patch(path, body)
    expect([status, json['error'], json['details']]).toMatchObject([
      401,
      'INVALID_TOTP',
      { reason: 'CODE_REQUIRED', field: 'totpCode' },
    ])
    expect(await settings()).toEqual(before)
  })

  test.each(['000000', 'abc', ''])('refuses the wrong code %j', async (code) => {
    const before = await settings()
    for (const sent of [{ inBody: code }, { inHeader: code || 'x' }]) {
      const { status, json } = await patch(path, body, sent)
      expect([status, json['error']]).toEqual([401, 'INVALID_TOTP'])
    }
    expect(await settings()).toEqual(before)
  })

  test('accepts a fresh code in the body, once', async () => {
    const code = await admin.code()
    expect((await patch(path, body, { inBody: code })).status).toBe(200)
    const again = await patch(path, body, { inBody: code })
    expect(again.json).toMatchObject({
      error: 'INVALID_TOTP',
      details: { reason: 'CODE_ALREADY_USED' },
    })
  })

  test('accepts a fresh code in the header', async () => {
    expect((await patch(path, body, { inHeader: await admin.code() })).status).toBe(200)
  })

  test('locks the address after ten wrong codes', async () => {
    for (let failures = 0; failures < 10; failures += 1)
      expect((await patch(path, body, { inBody: '000000' })).status).toBe(401)
    const locked = await patch(path, body, { inBody: await admin.code() })
    expect([locked.status, locked.headers['retry-after']]).toEqual([429, '900'])
  })
})

test.each(ROUTES.slice(1))('PATCH %s needs no code with an API key', async (path, body) => {
  const headers = body === null ? {} : { 'content-type': 'application/json' }
  const sent = body === null ? {} : { body: JSON.stringify(body) }
  expect((await door.ask(path, { method: 'PATCH', headers, ...sent })).status).toBe(200)
  const forbidden = await door.askWith(
    { settings: { ...SETTINGS, apiKeyMayConfigure: false } },
    path,
    { method: 'PATCH', headers, ...sent },
  )
  expect(forbidden.status).toBe(403)
})

test.each([
  ['/organisation/webhook', { webhookUrl: '' }],
  ['/organisation/min-withdrawal-signers', { minWithdrawalSigners: 3 }],
])('PATCH %s does not use up a code for a refused value', async (path, body) => {
  const code = await admin.code()
  expect((await patch(path, body, { inBody: code })).status).toBe(422)
  expect((await patch(...valid(path), { inBody: code })).status).toBe(200)
})

test('an unchanged setting does not use up a code', async () => {
  const code = await admin.code()
  const same = { minWithdrawalSigners: 1 }
  const path = '/organisation/min-withdrawal-signers'
  expect((await patch(path, same, { inBody: code })).status).toBe(200)
  expect((await patch(path, same, { inBody: '000000' })).status).toBe(401)
  expect((await patch(path, { minWithdrawalSigners: 2 }, { inBody: code })).status).toBe(200)
})

describe('GET /organisation', () => {
  const read = (headers: Record<string, string> = {}, as = session) =>
    door.ask('/organisation', { ...as, headers: { ...as.headers, ...headers } })
  const whole = async () => String((await door.ask('/organisation')).json['webhookSigningSecret'])

  test('shows the whole secret to the API key and its last four characters to people', async () => {
    const secret = await whole()
    expect(secret).toMatch(/^whsec_.{44}$/)
    expect((await read()).json['webhookSigningSecret']).toBe(secret.slice(-4))
  })

  test('shows the whole secret to an admin for a fresh code, once', async () => {
    const secret = await whole()
    const code = await admin.code()
    expect((await read({ 'x-totp-code': code })).json['webhookSigningSecret']).toBe(secret)
    const again = await read({ 'x-totp-code': code })
    expect([again.status, again.json['error']]).toEqual([401, 'INVALID_TOTP'])
  })

  test('shows an approver only the last four characters even with a code', async () => {
    const approver = await addPerson(officeOf(door), { orgId: door.a.orgId, role: 'approver' })
    const as = await signIn(door, approver)
    const answer = await read({ 'x-totp-code': await approver.code() }, as)
    expect(String(answer.json['webhookSigningSecret'])).toHaveLength(4)
  })
})

function valid(path: string): [path: string, body: Record<string, unknown> | null] {
  return ROUTES.find(([one]) => one === path) ?? ['', null]
}
