import { OPERATIONS, type Operation, SCOPES, SCOPE_OF } from '@sluice/wire'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Answered,
  type Asking,
  type Door,
  ETHER,
  ETHEREUM,
  openDoor,
  refusalIn,
} from '../../test/support/door.ts'
import { addPerson, officeOf, signIn } from '../../test/support/sign-in.ts'
import { listAudit } from '../audit-log/list-audit.ts'
import { listApiKeys } from '../orgs/api-key.ts'
import { createApiKey } from '../orgs/create-api-key.ts'
import { parseNetwork } from '../orgs/network.ts'
import { openPeers } from './http/peer.ts'

const DAY = 86_400_000
const NOBODY = '019b76da-0000-7000-8000-000000000000'
const HOOK = { webhookUrl: 'https://hooks.example.com/sluice' }

let door: Door
let admin: Awaited<ReturnType<typeof addPerson>>
let session: Asking

beforeAll(async () => {
  door = await openDoor()
})
afterAll(() => door.close())
beforeEach(async () => {
  admin = await addPerson(officeOf(door), { orgId: door.a.orgId, role: 'admin' })
  session = await signIn(door, admin)
})

/** Sends a request of the admin, with a fresh code. */
async function manage(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body: Record<string, unknown> = {},
): Promise<Answered> {
  await door.harness.clock.advance(60_000)
  return send(method, path, { ...body, totpCode: await admin.code() }, session)
}

function send(method: 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown, as: Asking = {}) {
  const headers = { ...as.headers, 'content-type': 'application/json' }
  return door.ask(path, { ...as, method, headers, body: JSON.stringify(body) })
}

interface Made {
  id: string
  key: string
  record: Record<string, unknown>
}

async function create(terms: Record<string, unknown>): Promise<Made> {
  return madeBy(await manage('POST', '/api-keys', { name: 'Test', ...terms }))
}

function madeBy(answer: Answered): Made {
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)])
  const record = recordIn(answer)
  return { id: String(record['id']), key: String(answer.json['key']), record }
}

function recordIn({ json }: Answered): Record<string, unknown> {
  return Object(json['apiKey'])
}

async function listed(): Promise<Record<string, unknown>[]> {
  const { json } = await door.ask('/api-keys', session)
  const keys: Record<string, unknown>[] = Object(json['apiKeys'])
  return [...keys]
}

const read = (key: string) => door.ask('/chains', { key })
const auditOf = async (object: string) => {
  const entries = await door.harness.database.transaction((tx) =>
    listAudit(tx, { orgId: door.a.orgId }),
  )
  return entries.filter((entry) => entry.object === object)
}

describe('scopes', () => {
  /** A request for each scope that is not refused for its form. */
  const REQUESTS: Record<(typeof SCOPES)[number], (key: string) => Promise<Answered>> = {
    read,
    deposits: (key) =>
      door.ask(`/payments/deposit-address?chainId=${ETHEREUM}&tokenId=${ETHER}&userId=ann`, {
        key,
      }),
    withdrawals: (key) => door.ask(`/withdrawals/${NOBODY}`, { key, method: 'DELETE' }),
    configure: (key) => send('PATCH', '/organisation/webhook', HOOK, { key }),
  }

  test.each(SCOPES)('a key with the scope %s may do only that', async (scope) => {
    const { key } = await create({ scopes: [scope] })
    for (const other of SCOPES) {
      const answer = await REQUESTS[other](key)
      if (other === scope) expect([200, 201, 404]).toContain(answer.status)
      else
        expect(refusalIn(answer)).toMatchObject({
          error: 'FORBIDDEN',
          statusCode: 403,
          details: { required: expect.any(String), scope: other },
        })
    }
  })

  test('every operation that an API key may use needs a scope', () => {
    const open = Object.entries<Operation>(OPERATIONS)
      .filter(([, { credential }]) => credential === 'either' || credential === 'apiKey')
      .filter(([, { permission }]) => SCOPE_OF[permission] === null)
    expect(open.map(([name]) => name)).toEqual([])
  })

  test('a key without the scope of an operation is refused, for every operation', async () => {
    for (const { method, path, credential, permission } of Object.values<Operation>(OPERATIONS)) {
      const scope = SCOPE_OF[permission]
      if (credential !== 'either' || scope === null) continue
      const without = SCOPES.filter((one) => one !== scope)
      const { key } = await keyWithout(without)
      const answer = await door.ask(path.replaceAll(/:[a-zA-Z]+/g, NOBODY), { key, method })
      expect([method, path, refusalIn(answer)]).toMatchObject([
        method,
        path,
        { error: 'FORBIDDEN', details: { required: permission, scope } },
      ])
    }
  })

  const kept = new Map<string, Made>()
  async function keyWithout(scopes: readonly string[]): Promise<Made> {
    const made = kept.get(scopes.join()) ?? (await create({ scopes }))
    kept.set(scopes.join(), made)
    return made
  }

  test('a key without configure sees only the end of the signing secret', async () => {
    const { key } = await create({ scopes: ['read'] })
    const secret = (asked: Answered) => String(asked.json['webhookSigningSecret'])
    const whole = secret(await door.ask('/organisation'))
    expect(secret(await door.ask('/organisation', { key }))).toBe(whole.slice(-4))
  })

  test('a change of scopes applies to the next request', async () => {
    const { id, key } = await create({ scopes: ['read', 'withdrawals'] })
    const changed = await manage('PATCH', `/api-keys/${id}`, { scopes: ['withdrawals'] })
    expect(recordIn(changed)).toMatchObject({ id, name: 'Test', scopes: ['withdrawals'] })
    expect((await read(key)).status).toBe(403)
    expect(await auditOf(id)).toMatchObject([
      {
        action: 'api-key.change',
        actor: `user:${admin.userId}`,
        details: { from: { scopes: ['read', 'withdrawals'] }, to: { scopes: ['withdrawals'] } },
      },
      { action: 'api-key.create', details: { name: 'Test', networks: [], expiresAt: null } },
    ])
  })
})

describe('networks', () => {
  /** The service behind a proxy at 127.0.0.1 that names the client. */
  const from = (key: string, address: string) =>
    door.askWith(
      { peerOf: openPeers([parseNetwork('127.0.0.1')].filter((one) => one !== null)) },
      '/chains',
      { key, headers: { 'x-forwarded-for': address } },
    )

  test('a key is refused from an address outside of its networks', async () => {
    const allowedCidrs = ['203.0.113.77/24', '2001:db8:5::/48', '203.0.113.0/24', '198.51.100.7']
    const { key, record } = await create({ scopes: ['read'], allowedCidrs })
    expect(record['allowedCidrs']).toEqual(['203.0.113.0/24', '2001:db8:5::/48', '198.51.100.7/32'])
    for (const address of ['203.0.113.1', '2001:db8:5:1::9', '198.51.100.7', '::ffff:203.0.113.1'])
      expect([address, (await from(key, address)).status]).toEqual([address, 200])
    for (const address of ['203.0.114.1', '2001:db8:6::1', '198.51.100.8', '::ffff:203.0.114.1'])
      expect(refusalIn(await from(key, address))).toMatchObject({
        error: 'FORBIDDEN',
        details: { required: 'allowedCidrs', address: address.replace('::ffff:', '') },
      })
  })

  test('a client cannot claim an address when it is not behind a proxy', async () => {
    const { key } = await create({ scopes: ['read'], allowedCidrs: ['203.0.113.0/24'] })
    const headers = { 'x-forwarded-for': '203.0.113.1' }
    expect((await door.ask('/chains', { key, headers })).status).toBe(403)
  })
})

describe('an expiry', () => {
  test('ends a key', async () => {
    const at = new Date(door.harness.clock.now() + DAY).toISOString()
    const { id, key, record } = await create({ scopes: ['read'], expiresAt: at })
    expect(record).toMatchObject({ expiresAt: at, status: 'active' })
    expect((await read(key)).status).toBe(200)
    await door.harness.clock.advance(DAY)
    expect(refusalIn(await read(key))).toMatchObject({ error: 'INVALID_API_KEY' })
    session = await signIn(door, admin)
    expect((await listed()).find((one) => one['id'] === id)).toMatchObject({ status: 'expired' })
    expect((await manage('PATCH', `/api-keys/${id}`, { expiresAt: null })).status).toBe(404)
    expect((await manage('POST', `/api-keys/${id}/rotate`)).status).toBe(404)
  })

  test('is removed by null', async () => {
    const at = new Date(door.harness.clock.now() + DAY).toISOString()
    const { id } = await create({ scopes: ['read'], expiresAt: at })
    const changed = await manage('PATCH', `/api-keys/${id}`, { expiresAt: null })
    expect(recordIn(changed)).toMatchObject({ expiresAt: null, scopes: ['read'] })
  })
})

describe('a rotation', () => {
  test('refuses the old key at once and keeps its limits', async () => {
    const limits = { scopes: ['read'], allowedCidrs: ['127.0.0.0/8'] }
    const old = await create(limits)
    const made = madeBy(await manage('POST', `/api-keys/${old.id}/rotate`))
    expect(made.record).toMatchObject({ name: 'Test', isDefault: false, ...limits })
    expect(made.id).not.toBe(old.id)
    expect([(await read(old.key)).status, (await read(made.key)).status]).toEqual([401, 200])
    const details = { replaces: old.id }
    expect(await auditOf(made.id)).toMatchObject([{ action: 'api-key.rotate', details }])
  })

  test('keeps the old key for the overlap', async () => {
    const old = await create({ scopes: ['read'] })
    const rotation = { overlapSeconds: 3_600 }
    const { key } = madeBy(await manage('POST', `/api-keys/${old.id}/rotate`, rotation))
    expect([(await read(old.key)).status, (await read(key)).status]).toEqual([200, 200])
    await door.harness.clock.advance(3_600_000)
    expect([(await read(old.key)).status, (await read(key)).status]).toEqual([401, 200])
  })

  test('never makes an old key live longer', async () => {
    const soon = new Date(door.harness.clock.now() + 600_000).toISOString()
    const old = await create({ scopes: ['read'], expiresAt: soon })
    const rotation = { overlapSeconds: 86_400, expiresAt: null }
    const { record } = madeBy(await manage('POST', `/api-keys/${old.id}/rotate`, rotation))
    expect(record['expiresAt']).toBeNull()
    await door.harness.clock.advance(600_000)
    expect((await read(old.key)).status).toBe(401)
  })

  test('of the default key by PATCH /organisation/api-key leaves other keys valid', async () => {
    const other = await create({ scopes: ['read'] })
    const first = (await listed()).find((one) => one['isDefault'] === true)
    expect(first).toMatchObject({ scopes: [...SCOPES], status: 'active', name: 'Default' })
    const { json } = await manage('PATCH', '/organisation/api-key')
    const [fresh, old] = [String(json['apiKey']), door.a.key]
    expect([(await read(old)).status, (await read(fresh)).status]).toEqual([401, 200])
    expect((await read(other.key)).status).toBe(200)
    const defaults = (await listed()).filter((one) => one['isDefault'] === true)
    expect(defaults.map((one) => one['status'])).toEqual(['active', 'revoked'])
    door.a.key = fresh
  })
})

describe('management', () => {
  test('a revoked key is refused at once, and a second revocation changes nothing', async () => {
    const { id, key } = await create({ scopes: ['read'] })
    expect(recordIn(await manage('DELETE', `/api-keys/${id}`))).toMatchObject({ status: 'revoked' })
    expect(refusalIn(await read(key))).toMatchObject({ error: 'INVALID_API_KEY' })
    expect((await manage('DELETE', `/api-keys/${id}`)).status).toBe(200)
    expect((await auditOf(id)).map(({ action }) => action)).toEqual([
      'api-key.revoke',
      'api-key.create',
    ])
    expect((await manage('PATCH', `/api-keys/${id}`, { name: 'x' })).status).toBe(404)
  })

  test('a list never contains a key, and pages', async () => {
    const { key, id } = await create({ scopes: ['read'] })
    const { text, json } = await door.ask('/api-keys?limit=1', session)
    expect(text).not.toContain(key)
    expect(json).toMatchObject({ apiKeys: [{ id, lastFour: key.slice(-4) }] })
    const next = await door.ask(`/api-keys?cursor=${String(json['nextCursor'])}`, session)
    expect(next.json['apiKeys']).toHaveLength((await listed()).length - 1)
  })

  test('every change needs a code, and an API key makes none', async () => {
    const { id } = await create({ scopes: ['read'] })
    const before = await listed()
    const body = { name: 'x', scopes: ['read'] }
    const requests = [
      ['POST', '/api-keys'],
      ['PATCH', `/api-keys/${id}`],
      ['POST', `/api-keys/${id}/rotate`],
      ['DELETE', `/api-keys/${id}`],
    ] as const
    for (const [method, path] of requests) {
      const details = { reason: 'CODE_REQUIRED' }
      const missing = await send(method, path, path.endsWith('rotate') ? {} : body, session)
      expect([method, refusalIn(missing)]).toMatchObject([
        method,
        { error: 'INVALID_TOTP', details },
      ])
      const wrong = await send(method, path, { ...body, totpCode: '000000' }, session)
      expect(refusalIn(wrong)).toMatchObject({ error: 'INVALID_TOTP' })
      expect((await send(method, path, body)).status).toBe(403)
    }
    expect(await listed()).toEqual(before)
  })

  test('a key of another organization is not found', async () => {
    const [key] = await door.harness.database.transaction((tx) => listApiKeys(tx, door.b.orgId))
    const path = `/api-keys/${key?.id}`
    for (const id of [path, `/api-keys/${NOBODY}`, '/api-keys/x']) {
      expect((await manage('PATCH', id, { name: 'x' })).status).toBe(404)
      expect((await manage('POST', `${id}/rotate`)).status).toBe(404)
      expect((await manage('DELETE', id)).status).toBe(404)
    }
    expect((await read(door.b.key)).status).toBe(200)
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: 'a\nb' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: null }, 'name'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['admin'] }, 'scopes.0'],
    [{ scopes: ['read', 'read'] }, 'scopes'],
    [{ scopes: 'read' }, 'scopes'],
    [{ allowedCidrs: ['10.0.0.0/33'] }, 'allowedCidrs'],
    [{ allowedCidrs: ['10.0.0.1:80'] }, 'allowedCidrs'],
    [{ allowedCidrs: ['fe80::1%eth0'] }, 'allowedCidrs'],
    [{ allowedCidrs: ['::/129'] }, 'allowedCidrs'],
    [{ allowedCidrs: ['example.com'] }, 'allowedCidrs'],
    [{ allowedCidrs: [''] }, 'allowedCidrs'],
    [{ allowedCidrs: ['10.0.0.0/8 '] }, 'allowedCidrs'],
    [{ allowedCidrs: '10.0.0.0/8' }, 'allowedCidrs'],
    [{ allowedCidrs: Array.from({ length: 51 }, (_, at) => `10.0.0.${at}`) }, 'allowedCidrs'],
    [{ expiresAt: '2020-01-01' }, 'expiresAt'],
    [{ expiresAt: 'soon' }, 'expiresAt'],
    [{ expiresAt: 5 }, 'expiresAt'],
  ])('creation refuses %j', async (terms, field) => {
    const before = await door.count('api_keys')
    const body = { name: 'Test', scopes: ['read'], ...terms }
    const answer = refusalIn(await manage('POST', '/api-keys', body))
    expect(answer).toMatchObject({ error: 'BAD_REQUEST', details: { field } })
    expect(await door.count('api_keys')).toBe(before)
  })

  test('creation refuses more than 100 active keys', async () => {
    const { deps, harness, a } = door
    const active = (await listed()).filter((one) => one['status'] === 'active').length
    const terms = { name: 'Many', scopes: ['read'], networks: [], expiresAt: null } as const
    const one = { orgId: a.orgId, terms, actor: 'cli:test', random: deps.random }
    for (let made = active; made < 100; made += 1)
      await harness.database.transaction((tx) => createApiKey(tx, deps.serviceKey, one))
    const body = { name: 'Test', scopes: ['read'] }
    expect(refusalIn(await manage('POST', '/api-keys', body))).toMatchObject({
      error: 'BAD_REQUEST',
      details: { maximum: 100 },
    })
  })
})
