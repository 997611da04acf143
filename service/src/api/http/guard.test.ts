import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATIONS } from '@sluice/wire'
import { type Asking, type Door, openDoor, refusalIn } from '../../../test/support/door.ts'
import { addPerson } from '../../../test/support/sign-in.ts'
import { listAlerts } from '../../alerts/list-alerts.ts'
import { newApiKey } from '../../orgs/api-key.ts'
import { rotateApiKey } from '../../orgs/change-api-key.ts'
import type { Caller } from '../../orgs/caller.ts'
import { setMinSigners } from '../../orgs/signers.ts'
import type { Role } from '../../orgs/user.ts'

const TOKEN = 'a.session.token'

let door: Door
let role: Role = 'admin'

beforeAll(async () => {
  door = await openDoor({
    sessions: {
      begin: async () => Promise.reject(new Error('sign-in is not part of this test')),
      read: async (token): Promise<Caller | null> =>
        token === TOKEN ? { ...SOMEONE, orgId: door.a.orgId, role } : null,
    },
  })
})
afterAll(() => door.close())

const USER = '019b76da-0000-7000-8000-000000000000'
const SOMEONE = { userId: USER, credential: 'bearer', credentialId: USER } as const
const bearer = (token: string): Asking => ({
  key: null,
  headers: { authorization: `Bearer ${token}` },
})

/** Operations that require the permission to configure, with valid bodies. */
const CONFIGURING: [method: 'PATCH' | 'POST' | 'DELETE', path: string, body: object][] = [
  ['PATCH', '/organisation/webhook', { webhookUrl: 'https://hooks.example.com/sluice' }],
  ['PATCH', '/organisation/webhook/signing-secret', {}],
  ['PATCH', '/organisation/min-withdrawal-signers', { minWithdrawalSigners: 1 }],
  ['PATCH', '/organisation/chains', { chainId: 'eip155:1', enabled: true }],
  ['PATCH', '/organisation/tokens', { tokenId: 'eip155:1/slip44:60', enabled: true }],
  ['POST', '/webhook-endpoints', { url: 'https://hooks.example.com/more', eventTypes: null }],
  ['PATCH', '/webhook-endpoints/:id', { isPaused: true }],
  ['DELETE', '/webhook-endpoints/:id', {}],
  ['POST', '/webhook-endpoints/:id/secret', {}],
]
/** Only people may change it, whatever the setting says. */
const BY_PEOPLE = '/organisation/min-human-approvals'

const GUARDED = Object.values(OPERATIONS)
  .filter(({ credential }) => credential !== 'none')
  .map(({ method, path }) => ({ method, path: path.replace(/:[a-zA-Z]+/, 'eip155:1') }))

describe.each(GUARDED)('$method $path', ({ method, path }) => {
  const ask = (asking: Asking) => door.ask(path, { method, ...asking })

  test('without credentials is a 401 UNAUTHORIZED [S07]', async () => {
    for (const headers of [{}, { authorization: 'Basic YTpi' }, { 'x-api-key': '' }])
      expect(refusalIn(await ask({ key: null, headers }))).toMatchObject({
        error: 'UNAUTHORIZED',
        statusCode: 401,
      })
  })

  test('with an unknown key is a 401 INVALID_API_KEY [S07]', async () => {
    for (const key of ['x', 'slk_', `slk_${'A'.repeat(43)}`, `${door.a.key}x`, 'x'.repeat(5_000)])
      expect(refusalIn(await ask({ key }))).toMatchObject({
        error: 'INVALID_API_KEY',
        statusCode: 401,
      })
  })

  test('refuses pages of other sites, and ignores cookies [S15]', async () => {
    const { key } = door.a
    const token = `accessToken=${TOKEN}; session=${TOKEN}; authorization=Bearer ${TOKEN}`
    const cookie = `${token}; key=${key}; x-api-key=${key}`
    const origin = 'https://evil.example'
    const answer = await ask({ key: null, headers: { origin, cookie } })
    expect(refusalIn(answer).error).toBe('UNAUTHORIZED')
    const asks = { 'access-control-request-method': method, 'access-control-request-headers': '*' }
    const preflight = await door.ask(path, { method: 'OPTIONS', headers: { origin, ...asks } })
    expect(preflight.status).toBe(404)
    for (const { headers } of [answer, preflight, await ask({ headers: { origin } })])
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test('with a bad access token is a 401 INVALID_TOKEN', async () => {
    for (const token of ['x', 'a.b.c', door.a.key, 'x'.repeat(5_000)])
      expect(refusalIn(await ask(bearer(token)))).toMatchObject({
        error: 'INVALID_TOKEN',
        statusCode: 401,
      })
  })

  test('with both credentials is a 400 even if both are valid', async () => {
    const { headers = {} } = bearer(TOKEN)
    expect(refusalIn(await ask({ key: door.a.key, headers }))).toMatchObject({
      error: 'BAD_REQUEST',
      statusCode: 400,
      details: { field: 'authorization' },
    })
  })

  test('checks credentials before the rest of the request', async () => {
    const asking = { key: null, headers: { 'content-type': 'application/json' }, body: '{' }
    const query = '?limit=x&chainId=a&chainId=b&%ff'
    const answer = await door.ask(path + query, method === 'GET' ? asking : { method, ...asking })
    expect(refusalIn(answer).error).toBe('UNAUTHORIZED')
  })
})

describe('a credential', () => {
  test('of a person is accepted like an API key, with the scheme in any case', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${TOKEN}` }
      const { status, json } = await door.ask('/organisation', { key: null, headers })
      expect([status, json['id']]).toEqual([200, door.a.orgId])
    }
  })

  test.each([
    ['viewer', 'GET', '/payments/deposit-address', 'issueAddresses'],
    ['viewer', 'PATCH', '/organisation/webhook', 'configure'],
    ['operator', 'PATCH', '/organisation/webhook', 'configure'],
    ['approver', 'PATCH', '/organisation/webhook/signing-secret', 'configure'],
  ] as const)(
    'without the permission is a 403 that names it: %s, %s %s',
    async (who, method, path, required) => {
      role = who
      const answer = await door.ask(path, { method, ...bearer(TOKEN) })
      role = 'admin'
      expect(refusalIn(answer)).toMatchObject({
        error: 'FORBIDDEN',
        statusCode: 403,
        details: { required },
      })
    },
  )

  test('of an API key cannot configure when the operator forbids it [A14]', async () => {
    const settings = { ...door.deps.settings, apiKeyMayConfigure: false }
    const other = await openDoor({ settings })
    const { orgId } = other.a
    const { serviceKey } = other.deps
    for (const who of ['approver', 'admin'] as const)
      await addPerson({ ...other.harness, serviceKey }, { orgId, role: who })
    await other.harness.database.transaction((tx) =>
      setMinSigners(tx, serviceKey, { orgId, value: 2, actor: 'cli:test' }),
    )
    const before = await other.ask('/organisation')
    expect(before).toMatchObject({ status: 200, json: { minWithdrawalSigners: 2 } })
    const headers = { 'content-type': 'application/json' }
    for (const [method, template, body] of CONFIGURING) {
      const path = template.replace(':id', other.a.orgId)
      const asked = await other.ask(path, { method, headers, body: JSON.stringify(body) })
      expect(refusalIn(asked)).toMatchObject({
        error: 'FORBIDDEN',
        statusCode: 403,
        details: { required: 'configure' },
      })
    }
    expect((await other.ask('/organisation')).json).toEqual(before.json)
    await other.close()
  })

  test('needs the permission to configure for exactly the operations of this list', () => {
    const paths = [...CONFIGURING.map(([, path]) => path), BY_PEOPLE]
    const all = Object.values(OPERATIONS).filter(({ permission }) => permission === 'configure')
    expect(all.map(({ path }) => path).sort()).toEqual(paths.sort())
  })

  test('inserted into the database is refused, and an alert is raised [A13]', async () => {
    const tenant = await door.found('Forged')
    const { key, hash } = newApiKey(door.deps.random)
    const [row] = await door.harness.database.transaction((tx) =>
      tx.many(sql<{ id: string }>`
        update api_keys set hash = ${hash} where org_id = ${tenant.orgId} returning id`),
    )
    for (const asked of [key.reveal(), key.reveal()]) {
      expect(refusalIn(await door.ask('/chains', { key: asked })).error).toBe('INVALID_API_KEY')
    }
    const alerts = await door.harness.database.transaction((tx) => listAlerts(tx, { open: true }))
    expect(alerts).toMatchObject([{ code: 'api_key.tampered', subject: row?.id, times: 2 }])
  })

  test('of a rotated key is refused after the rotation under concurrent calls [S08]', async () => {
    const tenant = await door.found('Rotating')
    const { orgId } = tenant
    const attempts = Array.from({ length: 100 }, () => door.ask('/chains', { key: tenant.key }))
    const fresh = await door.harness.database.transaction((tx) =>
      rotateApiKey(tx, door.deps.serviceKey, {
        orgId,
        actor: 'cli:test',
        random: door.deps.random,
      }),
    )
    const after = await Promise.all(
      Array.from({ length: 100 }, () => door.ask('/chains', { key: tenant.key })),
    )
    expect(after.map((answer) => refusalIn(answer).error)).toEqual(
      Array.from({ length: 100 }, () => 'INVALID_API_KEY'),
    )
    expect((await door.ask('/chains', { key: fresh.reveal() })).status).toBe(200)
    const statuses = new Set((await Promise.all(attempts)).map(({ status }) => status))
    expect([...statuses].filter((status) => status !== 200 && status !== 401)).toEqual([])
  })

  test('has its use recorded', async () => {
    const noted: unknown[] = []
    const keyUses = { note: (use: unknown) => void noted.push(use), flush: async () => undefined }
    const other = await openDoor({ keyUses })
    await other.ask('/chains')
    await other.ask('/chains', { key: 'wrong' })
    expect(noted).toEqual([{ orgId: other.a.orgId, keyId: expect.any(String) }])
    await other.close()
  })
})
