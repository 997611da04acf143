import { verify } from '@node-rs/argon2'
import { sql } from 'kysely'
import { URI } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SeededRandom } from '../../test/support/clock.ts'
import { openTestDatabase } from '../../test/support/database.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import { Refusal } from '../base/fault.ts'
import { CHAINS } from '../catalogue/chains.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { listAudit } from '../audit-log/list-audit.ts'
import type { Database } from '../store/database.ts'
import { createOrganization } from './create-organization.ts'
import { createUser } from '../../test/support/create-user.ts'
import { listUsers } from './list-users.ts'
import { listOrganizations, readOrganization, readRoutes, setWebhookUrl } from './settings.ts'
import { readSwitches, setSwitch } from './switches.ts'

const random = new SeededRandom(7)
const NOBODY = '01900000-0000-7000-8000-000000000000'
const actor = 'cli:root'

describe('organizations', () => {
  let world: TestDatabase
  let database: Database
  const serviceKey = openServiceKey({ key: new Uint8Array(32).fill(7), random })
  let a: string
  let b: string

  beforeAll(async () => {
    world = await openTestDatabase()
    database = world.database
    a = (await found('Alpha')).organization.id
    await world.clock.advance(1_000)
    b = (await found('Beta')).organization.id
  })
  afterAll(() => world.close())

  const found = (name: string) =>
    database.transaction((tx) => createOrganization(tx, serviceKey, { name, actor, random }))
  const auditOf = (orgId: string) => database.transaction((tx) => listAudit(tx, { orgId }))

  test('a new organization has a name, no webhook and one signer', async () => {
    const now = world.clock.now()
    const { organization } = await found('  Gamma  ')
    expect(organization).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Gamma',
      webhookUrl: '',
      minWithdrawalSigners: 1,
      minHumanApprovals: null,
      version: null,
      mac: expect.any(Uint8Array),
      createdAt: now,
      updatedAt: now,
    })
    const read = await database.transaction((tx) => readOrganization(tx, organization.id))
    expect(read).toEqual(organization)
  })

  test('the audit log has the creator of an organization', async () => {
    const actions = (await auditOf(a)).map((entry) => [entry.actor, entry.action])
    expect(actions).toContainEqual([actor, 'organization.create'])
    expect(actions).toContainEqual([actor, 'api-key.create'])
  })

  test.each(['', '   ', 'x'.repeat(101), 'a\u0000b', 'a\nb'])(
    'createOrganization refuses the name %j',
    async (name) => {
      await expect(found(name)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    },
  )

  test('an unknown or malformed organization id is refused', async () => {
    for (const orgId of [NOBODY, 'alpha', '']) {
      const read = database.transaction((tx) => readOrganization(tx, orgId))
      await expect(read).rejects.toThrow(Refusal)
      await expect(read).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
  })

  test('an organization has one user for its API key, which cannot log in', async () => {
    const users = await database.transaction((tx) => listUsers(tx, serviceKey, { orgId: a }))
    expect(users).toMatchObject([{ role: 'api', status: 'active', authentic: true, orgId: a }])
    const second = database.transaction((tx) =>
      tx.run(sql`insert into users (org_id, id, username, role, mac, created_at, updated_at)
        select org_id, ${NOBODY}, 'other', role, mac, created_at, updated_at
          from users where org_id = ${a}`),
    )
    await expect(second).rejects.toThrow('users_api')
  })

  test('setting a webhook URL is written to the audit log with its actor', async () => {
    const set = (url: string) =>
      database.forOrg(b, (tx) => setWebhookUrl(tx, serviceKey, { orgId: b, url, actor: 'user:x' }))
    await world.clock.advance(1_000)
    expect(await set('https://one.example/hook')).toEqual({ previous: '' })
    expect(await set('https://two.example/hook')).toEqual({ previous: 'https://one.example/hook' })
    const organization = await database.transaction((tx) => readOrganization(tx, b))
    expect(organization.webhookUrl).toBe('https://two.example/hook')
    expect(organization.updatedAt).toBe(world.clock.now())
    expect((await auditOf(b))[0]).toMatchObject({
      actor: 'user:x',
      action: 'webhook.set',
      details: { from: 'https://one.example/hook', to: 'https://two.example/hook' },
    })
    const routes = await database.transaction((tx) => readRoutes(tx, [a, b, NOBODY]))
    expect(routes).toEqual([{ orgId: b, endpointId: b, eventTypes: '' }])
    const none = { orgId: NOBODY, url: '', actor }
    await expect(
      database.transaction((tx) => setWebhookUrl(tx, serviceKey, none)),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  test('an organization can neither read nor change another one [S09]', async () => {
    const names = await database.forOrg(a, async (tx) => {
      const organizations = await listOrganizations(tx)
      return organizations.map((one) => one.name)
    })
    expect(names).toEqual(['Alpha'])
    await expect(database.forOrg(a, (tx) => readOrganization(tx, b))).rejects.toThrow(Refusal)
    const theirs = database.forOrg(a, (tx) =>
      setWebhookUrl(tx, serviceKey, { orgId: b, url: '', actor }),
    )
    await expect(theirs).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const users = await database.forOrg(a, (tx) => listUsers(tx, serviceKey))
    expect(new Set(users.map((user) => user.orgId))).toEqual(new Set([a]))
    expect(await database.forOrg(a, (tx) => readRoutes(tx, [b]))).toEqual([])
    expect(await database.asApi((tx) => listOrganizations(tx))).toEqual([])
    expect(await database.asApi((tx) => listUsers(tx, serviceKey))).toEqual([])
  })

  test('a switch applies to its organization only; unset is the default', async () => {
    const subject = chainOf('eip155:1')
    const set = (orgId: string, enabled: boolean) =>
      database.transaction((tx) => setSwitch(tx, { orgId, subject, enabled, actor }))
    const read = (orgId: string) => database.forOrg(orgId, (tx) => readSwitches(tx, orgId))
    expect((await read(a)).isOn(subject)).toBe(true)
    expect((await read(a)).isOn(subject, false)).toBe(false)
    await set(a, false)
    await set(b, true)
    expect((await read(a)).isOn(subject)).toBe(false)
    expect((await read(b)).isOn(subject, false)).toBe(true)
    await set(a, true)
    expect((await read(a)).isOn(subject)).toBe(true)
    expect((await auditOf(a))[0]).toMatchObject({
      action: 'switch.set',
      object: subject,
      details: { enabled: true },
    })
    await expect(set(NOBODY, true)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('an organization cannot read switches of another one [S09]', async () => {
    const subject = chainOf('eip155:137')
    const given = { orgId: b, subject, enabled: false, actor }
    await database.transaction((tx) => setSwitch(tx, given))
    const seen = await database.forOrg(a, (tx) => readSwitches(tx, b))
    expect(seen.isOn(subject)).toBe(true)
    const theirs = database.forOrg(a, (tx) => setSwitch(tx, given))
    await expect(theirs).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('users', () => {
  let world: TestDatabase
  let serviceKey: ServiceKey
  let orgId: string

  beforeAll(async () => {
    world = await openTestDatabase()
    serviceKey = openServiceKey({ key: new Uint8Array(32).fill(7), random })
    const { organization } = await world.database.transaction((tx) =>
      createOrganization(tx, serviceKey, { name: 'Alpha', actor, random }),
    )
    orgId = organization.id
  })
  afterAll(() => world.close())

  const create = (username: string, role: 'viewer' | 'admin' = 'viewer', org = orgId) =>
    world.database.transaction((tx) =>
      createUser(tx, serviceKey, { orgId: org, username, role, actor, random }),
    )
  const stored = (id: string) =>
    world.database.transaction((tx) =>
      tx.one(sql<{ password_hash: string; totp_secret: Uint8Array }>`
        select password_hash, totp_secret from users where id = ${id}`),
    )

  test('a user has a valid password and TOTP secret after the invitation', async () => {
    const { user, password, totpSecret, otpauthUri } = await create('alice', 'admin')
    expect(user).toMatchObject({ orgId, username: 'alice', role: 'admin', authentic: true })
    expect(password.reveal()).toMatch(/^[A-Za-z0-9_-]{20,}$/)
    expect(totpSecret.reveal()).toMatch(/^[A-Z2-7]{32}$/)
    const row = await stored(user.id)
    const [hash = ''] = row.password_hash.split(' ')
    expect(await verify(hash, password.reveal())).toBe(true)
    expect(await verify(hash, `${password.reveal()}x`)).toBe(false)
    expect(serviceKey.open('totp', user.id, row.totp_secret)).toBe(totpSecret.reveal())
    const totp = URI.parse(otpauthUri.reveal())
    expect(totp).toMatchObject({ issuer: 'Sluice', label: 'alice', algorithm: 'SHA1', digits: 6 })
    expect(totp.secret.base32).toBe(totpSecret.reveal())
  })

  test('a password is stored as salted argon2id with 19 MiB and two passes [S06]', async () => {
    const { user } = await create('salted')
    const { password_hash: hash } = await stored(user.id)
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]{22,}\$[^$ ]+ [^$ ]{44}$/)
    const other = await stored((await create('salted-too')).user.id)
    expect(other.password_hash.split('$')[4]).not.toBe(hash.split('$')[4])
  })

  test('secrets of a user are never in plain text in the database or in output [K03]', async () => {
    const made = await create('secretive')
    const secrets = [made.password, made.totpSecret, made.otpauthUri]
    const dump = await world.database.transaction((tx) =>
      tx.many(sql<{ row: unknown }>`
        select to_jsonb(u) as row from users u union all select to_jsonb(l) from audit_log l`),
    )
    const everything = JSON.stringify(dump)
    expect(everything).toContain('secretive')
    for (const secret of secrets) {
      const text = secret.reveal()
      for (const form of [
        text,
        Buffer.from(text).toString('hex'),
        Buffer.from(text).toString('base64'),
      ])
        expect(everything).not.toContain(form)
      expect(`${String(secret)} ${JSON.stringify(made)}`).not.toContain(text)
    }
  })

  test('usernames are unique across the installation, in any case', async () => {
    await create('Bob')
    for (const name of ['Bob', 'BOB', 'bob'])
      await expect(create(name)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    const { organization } = await world.database.transaction((tx) =>
      createOrganization(tx, serviceKey, { name: 'Beta', actor, random }),
    )
    await expect(create('bob', 'viewer', organization.id)).rejects.toThrow('taken')
  })

  test.each(['ab', 'x'.repeat(65), 'a\u0007b', ' padded', 'padded ', '\ud800abc'])(
    'inviteUser refuses the username %j',
    async (name) => {
      await expect(create(name)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    },
  )

  test('a username may have 64 code points', async () => {
    expect((await create('🦊'.repeat(64))).user.username).toHaveLength(128)
  })

  test('inviteUser refuses an unknown organization', async () => {
    await expect(create('nobodys', 'viewer', NOBODY)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const list = world.database.transaction((tx) => listUsers(tx, serviceKey, { orgId: 'alpha' }))
    await expect(list).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('a user is not authentic when any field was changed in the database', async () => {
    const { user } = await create('mallory')
    const isAuthentic = async () => {
      const users = await world.database.transaction((tx) => listUsers(tx, serviceKey, { orgId }))
      return users.find((one) => one.id === user.id)?.authentic
    }
    const change = (set: ReturnType<typeof sql>) =>
      world.database.transaction((tx) => tx.run(sql`update users set ${set} where id = ${user.id}`))
    expect(await isAuthentic()).toBe(true)
    await change(sql`role = 'admin'`)
    expect(await isAuthentic()).toBe(false)
    await change(sql`role = 'viewer', status = 'disabled'`)
    expect(await isAuthentic()).toBe(false)
    await change(sql`status = 'active', username = 'mallory-2'`)
    expect(await isAuthentic()).toBe(true)
    const { user: other } = await create('other', 'admin')
    await change(sql`role = 'admin', mac = (select mac from users where id = ${other.id})`)
    expect(await isAuthentic()).toBe(false)
  })

  test('the audit log has the creator of a user, without secrets', async () => {
    const { user } = await create('logged', 'admin')
    const entries = await world.database.transaction((tx) => listAudit(tx, { orgId }))
    const invited = entries.find(({ action }) => action === 'user.invite')
    expect(invited).toMatchObject({
      actor,
      action: 'user.invite',
      object: user.id,
      details: { username: 'logged', role: 'admin' },
    })
  })
})

function chainOf(id: string) {
  const chain = CHAINS.find((entry) => entry.id === id)
  if (chain === undefined) throw new Error(`no chain ${id}`)
  return chain.id
}
