import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { disableUser, changeUser } from '../../src/orgs/change-user.ts'
import { resetCredentials } from '../../src/orgs/reset-credentials.ts'
import type { Tx } from '../../src/store/database.ts'
import { systemRandom } from '../../src/base/random.ts'
import { type Door, listenLow, openDoor } from '../support/door.ts'
import { type Person, addPerson, officeOf } from '../support/sign-in.ts'

interface Answer {
  status: number
  body: Record<string, unknown>
}

let door: Door
let origin: string
beforeAll(async () => {
  door = await openDoor()
  origin = await listenLow(door)
})
afterAll(() => door.close())

async function send(
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
): Promise<Answer> {
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  const payload = body === undefined ? {} : { body: JSON.stringify(body) }
  const init = { method, headers: { ...headers, ...json }, ...payload }
  const answer = await fetch(`${origin}${path}`, init)
  return { status: answer.status, body: parse(await answer.text()) }
}

function parse(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>
}

function add(role: Person['role'] & ('viewer' | 'operator' | 'approver' | 'admin')) {
  return addPerson(officeOf(door), { orgId: door.a.orgId, role })
}

async function logIn(person: Person): Promise<Answer> {
  const { username, password } = person
  const totpCode = await person.code()
  return send('POST', '/auth/login', { body: { username, password, totpCode } })
}

async function bearerOf(person: Person): Promise<{ headers: { authorization: string } }> {
  const { body } = await logIn(person)
  return { headers: { authorization: `Bearer ${String(body['accessToken'])}` } }
}

function keyed(key: string): { headers: { 'x-api-key': string } } {
  return { headers: { 'x-api-key': key } }
}

describe('a user', () => {
  test('a user signs in, sees the profile, and reads all but the webhook secret', async () => {
    const ann = await add('viewer')
    const { status, body } = await logIn(ann)
    expect([status, Object.keys(body).sort()]).toEqual([200, ['accessToken', 'expiresIn']])
    expect(body['expiresIn']).toBe(3600)
    const headers = { authorization: `Bearer ${String(body['accessToken'])}` }
    expect(await send('GET', '/auth/profile', { headers })).toMatchObject({
      status: 200,
      body: {
        id: ann.userId,
        username: ann.username,
        role: 'viewer',
        org: { id: door.a.orgId, name: 'Alpha' },
        permissions: ['read'],
      },
    })
    const ours = await send('GET', '/organisation', { headers })
    const keys = await send('GET', '/organisation', keyed(door.a.key))
    const { webhookSigningSecret: masked, permissions: few, ...shown } = ours.body
    const { webhookSigningSecret: secret, permissions: many, ...whole } = keys.body
    expect(shown).toEqual(whole)
    expect(many).toEqual(expect.arrayContaining(['read', 'createWithdrawals']))
    expect(few).not.toContain('createWithdrawals')
    // A user sees its last four characters (decisions, section 13).
    expect(String(masked)).toMatch(new RegExp(`${String(secret).slice(-4)}$`))
    expect(masked).not.toBe(secret)
  })

  test.each([
    ['username', {}],
    ['password', { username: 'ann' }],
    ['totpCode', { username: 'ann', password: 'x' }],
    ['username', { username: 1, password: 'x', totpCode: '000000' }],
    ['totpCode', { username: 'ann', password: 'x', totpCode: 123456 }],
    ['password', { username: 'ann', password: null, totpCode: '000000' }],
  ])('a sign-in with a missing or invalid %s gets 400', async (field, body) => {
    const answer = await send('POST', '/auth/login', { body })
    expect([answer.status, answer.body['error']]).toEqual([400, 'BAD_REQUEST'])
    expect(answer.body['details']).toMatchObject({ field })
  })

  test('a wrong password and an unknown name get the same response [S05]', async () => {
    const ann = await add('viewer')
    const tries = [ann.username, 'nobody'].map((username) =>
      send('POST', '/auth/login', { body: { username, password: 'x', totpCode: '000000' } }),
    )
    const [one, two] = await Promise.all(tries)
    expect(one?.status).toBe(401)
    for (const answer of [one, two]) Object.assign(answer?.body ?? {}, { details: {} })
    expect(two).toEqual(one)
  })

  test('a used or wrong one-time code gets 401 [S03]', async () => {
    const ann = await add('viewer')
    const { username, password } = ann
    const totpCode = await ann.code()
    const body = { username, password, totpCode }
    expect((await send('POST', '/auth/login', { body })).status).toBe(200)
    const again = await send('POST', '/auth/login', { body })
    expect([again.status, again.body['error']]).toEqual([401, 'INVALID_TOTP'])
    expect(again.body['details']).toMatchObject({ reason: 'CODE_ALREADY_USED' })
    const wrong = await send('POST', '/auth/login', { body: { ...body, totpCode: 'abcdef' } })
    expect([wrong.status, wrong.body['error']]).toEqual([401, 'INVALID_TOTP'])
    expect(wrong.body['details']).not.toHaveProperty('reason')
  })

  test('one code sent fifty times at once signs in once [S03]', async () => {
    const ann = await add('viewer')
    const { username, password } = ann
    const body = { username, password, totpCode: await ann.code() }
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => send('POST', '/auth/login', { body })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401, 429]))
  })

  test('a session and its sign-in stay usable while others guess the password [S04]', async () => {
    const ann = await add('viewer')
    const as = await bearerOf(ann)
    const { username } = ann
    const payload = { username, password: 'guess', totpCode: '000000' }
    const guess = (remoteAddress: string) =>
      door.server.inject({ method: 'POST', url: '/auth/login', remoteAddress, payload })
    for (let failures = 0; failures < 10; failures += 1)
      expect((await guess('198.51.100.9')).statusCode).toBe(401)
    const locked = await guess('198.51.100.9')
    expect([locked.statusCode, locked.headers['retry-after']]).toEqual([429, '900'])
    expect((await send('GET', '/auth/profile', as)).status).toBe(200)
    expect((await logIn(ann)).status).toBe(200)
  })

  test('ten wrong guesses lock out the address, and sessions continue', async () => {
    const ann = await add('viewer')
    const as = await bearerOf(ann)
    const { username } = ann
    for (let failures = 0; failures < 10; failures += 1) {
      const body = { username, password: 'guess', totpCode: '000000' }
      expect((await send('POST', '/auth/login', { body })).status).toBe(401)
    }
    const locked = await logIn(ann)
    expect([locked.status, locked.body['error']]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    expect((await send('GET', '/auth/profile', as)).status).toBe(200)
    await door.harness.clock.advance(900_000)
    expect((await logIn(ann)).status).toBe(200)
  })
})

describe('a session', () => {
  const change = (person: Person) => ({ user: person.userId, actor: 'cli:test' })
  const nothing = async () => []

  test.each([
    [
      'the user is disabled',
      (tx: Tx, ann: Person) => disableUser(tx, door.deps.serviceKey, change(ann), nothing),
    ],
    [
      'the user has another role',
      (tx: Tx, ann: Person) =>
        changeUser(tx, door.deps.serviceKey, { ...change(ann), role: 'operator' }, nothing),
    ],
    [
      'the credentials are reset',
      (tx: Tx, ann: Person) =>
        resetCredentials(tx, door.deps.serviceKey, { ...change(ann), random: systemRandom }),
    ],
  ])('a session ends with the next request once %s [S02]', async (_what, work) => {
    const ann = await add('viewer')
    const as = await bearerOf(ann)
    expect((await send('GET', '/auth/profile', as)).status).toBe(200)
    await door.harness.database.transaction<unknown>((tx) => work(tx, ann))
    const answer = await send('GET', '/auth/profile', as)
    expect([answer.status, answer.body['error']]).toEqual([401, 'INVALID_TOKEN'])
  })

  test('the password of a reset user is refused [S02]', async () => {
    const ann = await add('viewer')
    const { serviceKey } = door.deps
    const reset = { ...change(ann), random: systemRandom }
    await door.harness.database.transaction((tx) => resetCredentials(tx, serviceKey, reset))
    const old = await logIn(ann)
    expect([old.status, old.body['error']]).toEqual([401, 'UNAUTHORIZED'])
  })

  test('a session expires after an hour [S18]', async () => {
    const as = await bearerOf(await add('viewer'))
    await door.harness.clock.advance(3_599_000)
    expect((await send('GET', '/auth/profile', as)).status).toBe(200)
    await door.harness.clock.advance(1_000)
    expect((await send('GET', '/auth/profile', as)).status).toBe(401)
  })

  test('no form of password, code or token is in the database after a sign-in [S07]', async () => {
    const ann = await add('admin')
    const { authorization } = (await bearerOf(ann)).headers
    await send('POST', '/auth/login', {
      body: { username: 'typed-by-mistake-hunter2', password: 'x', totpCode: '1' },
    })
    const rows = await door.harness.database.transaction((tx) =>
      tx.many(sql`
        select to_jsonb(u) as row from users u
         union all select to_jsonb(s) from sessions s
         union all select to_jsonb(g) from guesses g
         union all select to_jsonb(c) from request_counts c
         union all select to_jsonb(l) from audit_log l`),
    )
    const dump = JSON.stringify(rows).toLowerCase()
    expect(dump).toContain(ann.userId)
    const [, claims = '', signature = ''] = authorization.split('.')
    const secrets = [ann.password, ann.totpSecret.reveal(), claims, signature, 'hunter2']
    for (const secret of secrets)
      for (const form of [secret, hexOf(secret), base64Of(secret)])
        expect(dump).not.toContain(form.toLowerCase())
  })
})

describe('the API key', () => {
  test('only a signed-in admin can replace the API key', async () => {
    const tenant = await door.found('Rotating')
    const office = officeOf(door)
    const ann = await addPerson(office, { orgId: tenant.orgId, role: 'admin' })
    const bob = await addPerson(office, { orgId: tenant.orgId, role: 'approver' })
    const rotate = (as: { headers: Record<string, string> }, body: object = {}) =>
      send('PATCH', '/organisation/api-key', { ...as, body })
    const byKey = await rotate(keyed(tenant.key))
    expect([byKey.status, byKey.body['details']]).toMatchObject([403, { required: 'rotateApiKey' }])
    const byBob = await rotate(await bearerOf(bob))
    expect([byBob.status, byBob.body['details']]).toMatchObject([403, { required: 'rotateApiKey' }])
    const asAnn = await bearerOf(ann)
    const { status, body } = await rotate(asAnn, { totpCode: await ann.code() })
    expect([status, Object.keys(body)]).toEqual([200, ['apiKey']])
    const refused = await send('GET', '/organisation', keyed(tenant.key))
    expect([refused.status, refused.body['error']]).toEqual([401, 'INVALID_API_KEY'])
    expect((await send('GET', '/organisation', keyed(String(body['apiKey'])))).status).toBe(200)
    const both = { headers: { ...asAnn.headers, 'x-api-key': String(body['apiKey']) } }
    expect((await send('GET', '/organisation', both)).status).toBe(400)
  })

  test('a replaced API key does not work after the response [S08]', async () => {
    const tenant = await door.found('Racing')
    const ann = await addPerson(officeOf(door), { orgId: tenant.orgId, role: 'admin' })
    const as = await bearerOf(ann)
    const ask = (key: string) => send('GET', '/organisation', keyed(key))
    const early = Array.from({ length: 100 }, () => ask(tenant.key))
    const rotate = async () =>
      send('PATCH', '/organisation/api-key', { ...as, body: { totpCode: await ann.code() } })
    const rotated = await rotate()
    const late = await Promise.all(Array.from({ length: 100 }, () => ask(tenant.key)))
    expect(new Set(late.map(({ status }) => status))).toEqual(new Set([401]))
    for (const { status } of await Promise.all(early)) expect([200, 401]).toContain(status)
    const codes = [await ann.code(), await ann.code()]
    const rotations = await Promise.all(
      codes.map((totpCode) =>
        send('PATCH', '/organisation/api-key', { ...as, body: { totpCode } }),
      ),
    )
    const keys = [rotated, ...rotations].map(({ body }) => String(body['apiKey']))
    const answers = await Promise.all(keys.map(ask))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

function hexOf(text: string): string {
  return Buffer.from(text).toString('hex')
}

function base64Of(text: string): string {
  return Buffer.from(text).toString('base64')
}
