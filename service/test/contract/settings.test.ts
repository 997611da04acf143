import { describe, expect, test } from 'vitest'
import { type Answer, type Json, ask } from './world/ask.ts'
import { personOf, tenantOf } from './world/given.ts'
import { expectRefusal } from './world/refusal.ts'
import { Organization, Profile } from './world/shapes.ts'
import { type Person, codeOf, wrongCodeOf } from './world/sign-in.ts'

const settings = tenantOf('settings')
const admin = personOf(settings, 'admin')
let key = settings.apiKey
const KEY_SHAPE = /^slk_[A-Za-z0-9_-]{43}$/

function patch(path: string, body?: unknown): Promise<Answer> {
  return ask(path, { key, method: 'PATCH', ...(body === undefined ? {} : { body }) })
}

async function organization(): Promise<Json> {
  const { status, json } = await ask('/organisation', { key })
  expect(status).toBe(200)
  expect(Organization(json, 'organization')).toEqual([])
  return json
}

describe('the organization', () => {
  test('an organization has the shape of section 2.7, without a wrapper', async () => {
    expect(await organization()).toMatchObject({
      id: settings.id,
      name: 'settings',
      webhookUrl: '',
      minWithdrawalSigners: 1,
    })
  })

  test('an organization accepts a webhook URL', async () => {
    const webhookUrl = 'https://hooks.unreachable.example.com/hook?a=1'
    expect(await patch('/organisation/webhook', { webhookUrl })).toMatchObject({
      status: 200,
      text: '{}',
    })
    expect(await organization()).toMatchObject({ webhookUrl })
    for (const bad of [
      'http://hooks.unreachable.example.com/',
      'nonsense',
      '',
      'https://127.0.0.1/',
    ])
      expectRefusal(
        await patch('/organisation/webhook', { webhookUrl: bad }),
        'INVALID_WEBHOOK_URL',
      )
    for (const body of [{}, { webhookUrl: null }, { webhookUrl: 1 }, { url: webhookUrl }, [], 'x'])
      expectRefusal(await patch('/organisation/webhook', body), 'BAD_REQUEST')
    expect(await organization()).toMatchObject({ webhookUrl })
  })

  test('an organization gets a different signing secret each time', async () => {
    const { webhookSigningSecret: before } = await organization()
    const { status, json } = await patch('/organisation/webhook/signing-secret')
    expect([status, Object.keys(json)]).toEqual([200, ['webhookSigningSecret']])
    expect(json['webhookSigningSecret']).not.toBe(before)
    expect(await organization()).toMatchObject(json)
  })

  test('an organization requires at least one signer and at most as many as it has', async () => {
    const path = '/organisation/min-withdrawal-signers'
    for (const minWithdrawalSigners of [2, 1]) {
      const { status, json } = await patch(path, { minWithdrawalSigners })
      expect([status, json]).toEqual([200, {}])
      expect(await organization()).toMatchObject({ minWithdrawalSigners })
    }
    for (const minWithdrawalSigners of [0, -1, 4, 1.5, 2 ** 31, 2 ** 53, 1e300])
      expectRefusal(await patch(path, { minWithdrawalSigners }), 'INVALID_MIN_SIGNERS')
    for (const minWithdrawalSigners of ['2', null, true, [2], {}])
      expectRefusal(await patch(path, { minWithdrawalSigners }), 'BAD_REQUEST')
    expectRefusal(await patch(path, {}), 'BAD_REQUEST')
    expect(await organization()).toMatchObject({ minWithdrawalSigners: 1 })
  })
})

describe('a person who configures', () => {
  const other = personOf(settings, 'admin', 1)
  const as = (path: string, body: Json, headers: Record<string, string> = {}) =>
    ask(path, { token: other.accessToken, method: 'PATCH', body, headers })
  const ROUTES: [path: string, body: Json][] = [
    ['/organisation/webhook', { webhookUrl: 'https://hooks.unreachable.example.com/person' }],
    ['/organisation/webhook/signing-secret', {}],
    ['/organisation/min-withdrawal-signers', { minWithdrawalSigners: 2 }],
    ['/organisation/api-key', {}],
  ]

  test.each(ROUTES)('a user changes nothing by %s without a fresh code', async (path, body) => {
    const before = await organization()
    const missing = { reason: 'CODE_REQUIRED', field: 'totpCode' }
    expectRefusal(await as(path, body), 'INVALID_TOTP', missing)
    const totpCode = wrongCodeOf(other)
    expectRefusal(await as(path, { ...body, totpCode }), 'INVALID_TOTP')
    expectRefusal(await as(path, body, { 'x-totp-code': totpCode }), 'INVALID_TOTP')
    expect(await organization()).toEqual(before)
  })

  test('a user sends the code in the body or in a header, which uses it up', async () => {
    const totpCode = codeOf(other)
    const webhookUrl = 'https://hooks.unreachable.example.com/person'
    const set = await as('/organisation/webhook', { webhookUrl }, { 'x-totp-code': totpCode })
    expect(set).toMatchObject({ status: 200, text: '{}' })
    const path = '/organisation/min-withdrawal-signers'
    const body = { minWithdrawalSigners: 2 }
    expectRefusal(await as(path, { ...body, totpCode }), 'INVALID_TOTP')
    expect(await as(path, { ...body, totpCode: codeOf(other, 1) })).toMatchObject({ status: 200 })
    expect(await organization()).toMatchObject({ webhookUrl, ...body })
    expect((await patch(path, { minWithdrawalSigners: 1 })).status).toBe(200)
  })

  test('a user sees only the end of the signing secret', async () => {
    const { webhookSigningSecret: secret } = await organization()
    for (const { accessToken } of settings.people) {
      const { status, json } = await ask('/organisation', { token: accessToken })
      expect(status).toBe(200)
      expect(Organization(json, 'organization')).toEqual([])
      expect(json['webhookSigningSecret']).toBe(String(secret).slice(-4))
    }
  })
})

describe('the API key', () => {
  test('the API key is replaced by a user, and the former one fails at once', async () => {
    expect(key).toMatch(KEY_SHAPE)
    expectRefusal(await patch('/organisation/api-key'), 'FORBIDDEN')
    const question = { token: admin.accessToken, method: 'PATCH' }
    expectRefusal(await ask('/organisation/api-key', question), 'INVALID_TOTP')
    const body = { totpCode: codeOf(admin) }
    const { status, json } = await ask('/organisation/api-key', { ...question, body })
    expect([status, Object.keys(json)]).toEqual([200, ['apiKey']])
    expect(json['apiKey']).toMatch(KEY_SHAPE)
    expectRefusal(await ask('/organisation', { key }), 'INVALID_API_KEY')
    key = String(json['apiKey'])
    await organization()
  })

  test('the API key and an admin with a fresh code read the whole signing secret', async () => {
    const { webhookSigningSecret } = await organization()
    const headers = { 'x-totp-code': codeOf(admin, 1) }
    const { json } = await ask('/organisation', { token: admin.accessToken, headers })
    expect(json).toMatchObject({ webhookSigningSecret })
    expect(String(webhookSigningSecret).length).toBeGreaterThan(20)
  })

  test('the API key is not a user: it has no profile', async () => {
    expectRefusal(await ask('/auth/profile', { key }), 'FORBIDDEN')
    const { status, json } = await ask('/auth/profile', { token: admin.accessToken })
    expect(status).toBe(200)
    expect(Profile(json, 'profile')).toEqual([])
    const org = { id: settings.id, name: 'settings' }
    expect(json).toMatchObject({ id: admin.id, username: admin.username, org })
  })
})

function logIn(body: unknown): Promise<Answer> {
  return ask('/auth/login', { method: 'POST', body })
}

describe('signing in', () => {
  const full = (person: Person, totpCode: string) => {
    const { username, password } = person
    return { username, password, totpCode }
  }

  test('a sign-in returns a token of an hour with the claims of decisions, 5', async () => {
    const person = personOf(settings, 'viewer', 0)
    const { status, json } = await logIn(full(person, codeOf(person)))
    expect([status, Object.keys(json).sort()]).toEqual([200, ['accessToken', 'expiresIn']])
    expect(json['expiresIn']).toBe(3600)
    const [header, claims] = String(json['accessToken']).split('.').slice(0, 2).map(decode)
    expect(header?.['alg']).toMatch(/^(EdDSA|HS256)$/)
    expect(claims).toMatchObject({ sub: person.id, org: settings.id, role: 'viewer' })
    expect(claims?.['jti']).toMatch(/./)
    expect(Number(claims?.['exp']) - Number(claims?.['iat'])).toBe(3600)
    const profile = await ask('/auth/profile', { token: String(json['accessToken']) })
    expect(profile.json).toMatchObject({ id: person.id })
  })

  test('a sign-in accepts a code once', async () => {
    const person = personOf(settings, 'viewer', 1)
    const code = codeOf(person)
    expect((await logIn(full(person, code))).status).toBe(200)
    expectRefusal(await logIn(full(person, code)), 'INVALID_TOTP')
  })

  test('a sign-in answers alike for an unknown name and a wrong password', async () => {
    const person = personOf(settings, 'viewer', 2)
    const code = codeOf(person, 1)
    const answers = [
      await logIn({ username: 'nobody-at-all', password: person.password, totpCode: code }),
      await logIn({ ...full(person, code), password: 'wrong' }),
      await logIn({ ...full(person, '000000'), password: 'wrong' }),
    ]
    for (const answer of answers) expectRefusal(answer, 'UNAUTHORIZED')
    const told = answers.map(({ json }) => [json['error'], json['message'], json['statusCode']])
    expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1)
    expectRefusal(await logIn(full(person, wrongCodeOf(person))), 'INVALID_TOTP')
    expect((await logIn(full(person, code))).status).toBe(200)
  })

  test('a sign-in requires all three fields', async () => {
    const whole: Json = { username: 'a-name', password: 'a password', totpCode: '123456' }
    for (const name of Object.keys(whole)) {
      for (const value of [undefined, null, 1, [], {}])
        expectRefusal(await logIn({ ...whole, [name]: value }), 'BAD_REQUEST')
    }
    for (const body of [{}, [], null, 'text']) expectRefusal(await logIn(body), 'BAD_REQUEST')
  })

  test('a sign-in is locked for a name after ten failures in a row, known or unknown', async () => {
    for (const username of [personOf(settings, 'approver').username, 'nobody-known-here']) {
      const body = { username, password: 'wrong', totpCode: '000000' }
      for (let failures = 0; failures < 10; failures += 1)
        expectRefusal(await logIn(body), 'UNAUTHORIZED')
      const locked = await logIn(body)
      expectRefusal(locked, 'RATE_LIMIT_EXCEEDED')
      const seconds = Number(locked.headers['retry-after'])
      expect(seconds).toBeGreaterThan(14 * 60)
      expect(seconds).toBeLessThanOrEqual(15 * 60)
    }
    const { accessToken } = personOf(settings, 'approver')
    expect((await ask('/auth/profile', { token: accessToken })).status).toBe(200)
  })
})

function decode(part: string): Json {
  return JSON.parse(Buffer.from(part, 'base64url').toString() || '{}') as Json
}
