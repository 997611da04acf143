import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Asking, type Door, openDoor, refusalIn } from '../../test/support/door.ts'
import { addPerson, officeOf, type Person, signIn } from '../../test/support/sign-in.ts'
import { revokeApiKey } from '../orgs/change-api-key.ts'
import { disableUser } from '../orgs/change-user.ts'
import { createApiKey } from '../orgs/create-api-key.ts'
import { inviteUser } from '../orgs/invite-user.ts'
import { pendingThresholds } from '../withdrawals/approve/pending-thresholds.ts'

const ACTOR = { actor: 'cli:test' }
const HOUR_MS = 3_600_000

let door: Door
let admin: Person
let asAdmin: Asking
/** The keys that were shown when they were created. */
const secrets: string[] = []

beforeAll(async () => {
  door = await openDoor()
  const { orgId } = door.a
  admin = await addPerson(officeOf(door), { orgId, role: 'admin', username: 'boss@example.com' })
  await addPerson(officeOf(door), { orgId, role: 'approver', username: 'Joanna' })
  await door.harness.clock.advance(1)
  const left = await addPerson(officeOf(door), { orgId, role: 'approver', username: 'hannes' })
  await door.harness.clock.advance(1)
  await addPerson(officeOf(door), { orgId: door.b.orgId, role: 'approver', username: 'other-anna' })
  const { database } = door.harness
  const { random, serviceKey } = door.deps
  await database.transaction((tx) =>
    disableUser(tx, serviceKey, { user: left.userId, ...ACTOR }, pendingThresholds),
  )
  const invited = { orgId, username: '=1+1 annex', role: 'viewer', ...ACTOR, random } as const
  await database.transaction((tx) => inviteUser(tx, serviceKey, invited))
  await makeKey('Shop', ['read', 'deposits'])
  await makeKey('Ends soon', ['read'], door.harness.clock.now() + HOUR_MS)
  const revoked = await makeKey('Old SHOP', ['withdrawals'])
  await database.transaction((tx) => revokeApiKey(tx, serviceKey, { orgId, id: revoked, ...ACTOR }))
  await door.harness.clock.advance(HOUR_MS)
  asAdmin = await signIn(door, admin)
})
afterAll(() => door.close())

type Scopes = Parameters<typeof createApiKey>[2]['terms']['scopes']

async function makeKey(name: string, scopes: Scopes, expiresAt: number | null = null) {
  const { database } = door.harness
  const { random, serviceKey } = door.deps
  const terms = { name, scopes, networks: [], expiresAt }
  const creation = { orgId: door.a.orgId, terms, ...ACTOR, random }
  const { apiKey, key } = await database.transaction((tx) => createApiKey(tx, serviceKey, creation))
  secrets.push(key.reveal())
  return apiKey.id
}

/** One field of the records of a list, in a fixed order. */
async function listed(path: string, key: string, field: string, query: Record<string, string>) {
  const { status, json } = await door.ask(
    `${path}?${new URLSearchParams(query).toString()}`,
    asAdmin,
  )
  expect(status).toBe(200)
  const records = json[key] as Record<string, unknown>[]
  return records.map((record) => String(record[field])).toSorted()
}

describe('GET /users', () => {
  const names = (query: Record<string, string>) => listed('/users', 'users', 'username', query)

  test.each([
    [{ q: 'ANN' }, ['=1+1 annex', 'Joanna', 'hannes']],
    [{ q: '@example' }, ['boss@example.com']],
    [{ q: '%' }, []],
    [{ q: 'o_n' }, []],
    [{ role: 'approver' }, ['Joanna', 'hannes']],
    [{ role: 'operator' }, []],
    [{ status: 'disabled' }, ['hannes']],
    [{ status: 'invited' }, ['=1+1 annex']],
    [{ status: 'active' }, ['Joanna', 'boss@example.com']],
    [{ q: 'ann', role: 'approver', status: 'active' }, ['Joanna']],
    [{ q: 'other' }, []],
  ])('selects with %j', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
  })

  test('finds a person by the id', async () => {
    expect(await names({ q: admin.userId })).toEqual([admin.username])
  })

  test('pages a filter', async () => {
    const { json } = await door.ask('/users?q=ann&limit=2', asAdmin)
    const cursor = String(json['nextCursor'])
    const next = await door.ask(`/users?q=ann&limit=2&cursor=${cursor}`, asAdmin)
    expect([json['users'], next.json['users']]).toMatchObject([
      [{ username: '=1+1 annex' }, { username: 'hannes' }],
      [{ username: 'Joanna' }],
    ])
    expect(next.json['nextCursor']).toBe(null)
  })

  test('exports a filter as CSV without formulas and without secrets', async () => {
    const accept = { accept: 'text/csv' }
    const { headers, text } = await door.ask('/users?q=ann', { headers: accept })
    expect(headers['content-disposition']).toBe('attachment; filename="users.csv"')
    const [head, first, ...others] = text.trimEnd().split('\r\n')
    expect(head).toBe(
      'id,username,role,status,enrolled,invitationExpiresAt,lastLoginAt,tampered,createdAt,' +
        'updatedAt',
    )
    expect(first).toContain(",'=1+1 annex,viewer,invited,false,2026-")
    expect(others).toHaveLength(2)
    expect(text).not.toMatch(/sli_|argon2/)
  })

  test.each(['role=api', 'role=', 'status=reset', 'disabled=true', 'q='])(
    'refuses %s',
    async (query) => {
      const field = query.split('=')[0]
      const refused = { error: 'BAD_REQUEST', statusCode: 400, details: { field } }
      expect(refusalIn(await door.ask(`/users?${query}`))).toMatchObject(refused)
    },
  )
})

describe('GET /api-keys', () => {
  const names = (query: Record<string, string>) => listed('/api-keys', 'apiKeys', 'name', query)

  test.each([
    [{ q: 'shop' }, ['Old SHOP', 'Shop']],
    [{ q: 's_op' }, []],
    [{ scope: 'deposits', q: 's' }, ['Shop']],
    [{ scope: 'withdrawals', status: 'revoked' }, ['Old SHOP']],
    [{ status: 'expired' }, ['Ends soon']],
    [{ status: 'active', q: 'shop' }, ['Shop']],
    [{ status: 'revoked' }, ['Old SHOP']],
  ])('selects with %j', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
  })

  test('finds a key by its last four characters or its id, never by more of it', async () => {
    const [key = ''] = secrets
    expect(await names({ q: key.slice(-4) })).toEqual(['Shop'])
    expect(await names({ q: key.slice(-5) })).toEqual([])
    expect(await names({ q: key })).toEqual([])
    const { json } = await door.ask('/api-keys?q=Shop&status=active', asAdmin)
    const [found] = json['apiKeys'] as { id: string; status: string }[]
    expect(await names({ q: String(found?.id) })).toEqual(['Shop'])
  })

  test.each(['text/csv', 'application/x-ndjson'])('exports %s without a key', async (accept) => {
    const headers = { ...asAdmin.headers, accept }
    const { status, text } = await door.ask('/api-keys?q=shop', { ...asAdmin, headers })
    expect(status).toBe(200)
    expect(text.trimEnd().split('\n')).toHaveLength(accept === 'text/csv' ? 3 : 2)
    expect(text).toContain('Old SHOP')
    expect(text).not.toContain('slk_')
    for (const secret of secrets) {
      expect(text).not.toContain(secret.slice(4, -4))
      expect(text).not.toContain(hashOf(secret))
    }
  })

  test.each(['scope=admin', 'scope=', 'status=disabled', 'state=active', 'q='])(
    'refuses %s',
    async (query) => {
      const field = query.split('=')[0]
      const refused = { error: 'BAD_REQUEST', statusCode: 400, details: { field } }
      expect(refusalIn(await door.ask(`/api-keys?${query}`, asAdmin))).toMatchObject(refused)
    },
  )

  test('refuses an API key, also for an export', async () => {
    const headers = { accept: 'text/csv' }
    expect(await door.ask('/api-keys', { headers })).toMatchObject({ status: 403 })
  })
})

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64')
}
