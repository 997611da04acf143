import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SeededRandom } from '../../test/support/clock.ts'
import { addPerson } from '../../test/support/sign-in.ts'
import { openTestDatabase } from '../../test/support/database.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import { systemRandom } from '../base/random.ts'
import type { Secret } from '../base/secret.ts'
import { listAlerts } from '../alerts/list-alerts.ts'
import { listAudit } from '../audit-log/list-audit.ts'
import { openServiceKey } from '../keys/service-key.ts'
import type { Database } from '../store/database.ts'
import { findCaller, findCallers, listApiKeys, newApiKey, raiseForgedKey } from './api-key.ts'
import { rotateApiKey, rotateForOperator } from './change-api-key.ts'
import { createOrganization } from './create-organization.ts'
import { findCallerTogether } from './find-together.ts'
import { openKeyUses } from './key-use.ts'
import { readSigningSecrets, rotateSigningSecret } from './signing-secret.ts'

const random = new SeededRandom(11)
const serviceKey = openServiceKey({ key: new Uint8Array(32).fill(9), random })
const actor = 'user:admin'
const DAY = 86_400_000

describe('API keys', () => {
  let world: TestDatabase
  let database: Database
  beforeAll(async () => {
    world = await openTestDatabase()
    database = world.database
  })
  afterAll(() => world.close())

  const found = () =>
    database.transaction((tx) => createOrganization(tx, serviceKey, { name: 'A', actor, random }))
  const ask = (key: Secret | string) =>
    database.asApi((tx) => findCaller(tx, serviceKey, typeof key === 'string' ? key : key.reveal()))
  const rotate = (orgId: string) =>
    database.forOrg(orgId, (tx) =>
      rotateApiKey(tx, serviceKey, { orgId, actor, random: systemRandom }),
    )

  test('an API key has 256 bits after its prefix and is stored as SHA-256 only', () => {
    const { key, hash, lastFour } = newApiKey(random)
    expect(key.reveal()).toMatch(/^slk_[A-Za-z0-9_-]{43}$/)
    expect(lastFour).toBe(key.reveal().slice(-4))
    expect(Buffer.from(hash)).toEqual(createHash('sha256').update(key.reveal()).digest())
  })

  test('creating an API key fails when the random source repeats itself [K01]', () => {
    const stuck = { bytes: (length: number) => new Uint8Array(length), fraction: () => 0 }
    expect(() => newApiKey(stuck)).toThrow('repeats itself')
  })

  test('the alert on a tampered API key closes when an operator rotates [A13]', async () => {
    const [one, other] = [await found(), await found()]
    const keyOf = async (orgId: string) => {
      const [key] = await database.transaction((tx) => listApiKeys(tx, orgId))
      return key?.id ?? ''
    }
    const [orgId, otherId] = [one.organization.id, other.organization.id]
    const [forged, otherForged] = [await keyOf(orgId), await keyOf(otherId)]
    await raiseForgedKey(database, { forged: { orgId, keyId: forged } })
    await raiseForgedKey(database, { forged: { orgId: otherId, keyId: otherForged } })
    const open = async () => {
      const alerts = await database.transaction((tx) => listAlerts(tx, { open: true }))
      return alerts.map(({ subject }) => subject).toSorted()
    }
    // A rotation over the interface does not close an alert for operators.
    await rotate(orgId)
    expect(await open()).toEqual([forged, otherForged].toSorted())
    await database.transaction((tx) =>
      rotateForOperator(tx, serviceKey, { orgId, actor: 'cli:root', random: systemRandom }),
    )
    expect(await open()).toEqual([otherForged])
  })

  test('a shared lookup finds the same owners as single lookups', async () => {
    const [one, two, gone] = [await found(), await found(), await found()]
    await rotate(gone.organization.id)
    const texts = [two, gone, one, two].map(({ apiKey }) => apiKey.reveal())
    texts.splice(1, 0, newApiKey(random).key.reveal(), 'no key', '')
    const each = []
    for (const text of texts) each.push(await ask(text))
    expect(each.map((caller) => typeof caller)).toEqual([
      'object',
      'string',
      'string',
      'string',
      'string',
      'object',
      'object',
    ])
    expect(await database.asApi((tx) => findCallers(tx, serviceKey, texts))).toEqual(each)
    expect(
      await Promise.all(texts.map((text) => findCallerTogether({ database, serviceKey }, text))),
    ).toEqual(each)
    expect(await database.asApi((tx) => findCallers(tx, serviceKey, ['no key']))).toEqual([
      'unknown',
    ])
  })

  test('a shared lookup refuses an API key after its rotation', async () => {
    const { organization, apiKey } = await found()
    const look = () => findCallerTogether({ database, serviceKey }, apiKey.reveal())
    const before = Promise.all([look(), look(), look()])
    expect((await before).map((caller) => typeof caller)).toEqual(['object', 'object', 'object'])
    await rotate(organization.id)
    expect(await Promise.all([look(), look(), look()])).toEqual(['revoked', 'revoked', 'revoked'])
  })

  test('findCaller finds the owner of an API key without an organization', async () => {
    const { organization, apiKey } = await found()
    expect(await ask(apiKey)).toEqual({
      orgId: organization.id,
      userId: expect.any(String),
      credentialId: expect.any(String),
      role: 'api',
      credential: 'apiKey',
      limits: { scopes: ['read', 'deposits', 'withdrawals', 'configure'], networks: [] },
    })
  })

  test('findCaller returns null for an unknown API key of any form', async () => {
    const { apiKey } = await found()
    const text = apiKey.reveal()
    const others = [`slk_${'A'.repeat(43)}`, '', 'slk_', text.slice(0, -1), `${text}A`, ` ${text}`]
    for (const other of [...others, text.replace('slk_', 'SLK_'), `${text}\u0000`, "' or 1=1 --"])
      expect(await ask(other)).toBe('unknown')
  })

  test('an old API key is refused after its rotation, and the new one works [S08]', async () => {
    const { organization, apiKey } = await found()
    const next = await rotate(organization.id)
    expect(await ask(apiKey)).toBe('revoked')
    expect(await ask(next)).toMatchObject({ orgId: organization.id, role: 'api' })
    const [entry] = await database.transaction((tx) => listAudit(tx, { orgId: organization.id }))
    const details = { lastFour: next.reveal().slice(-4) }
    expect(entry).toMatchObject({ actor, action: 'api-key.rotate', details })
  })

  test('concurrent rotations leave exactly one valid API key [S08]', async () => {
    const { organization, apiKey } = await found()
    const keys = await Promise.all(Array.from({ length: 8 }, () => rotate(organization.id)))
    const answers = await Promise.all([apiKey, ...keys].map(ask))
    expect(answers.filter((answer) => typeof answer === 'object')).toHaveLength(1)
    expect(answers.filter((answer) => answer === 'revoked')).toHaveLength(8)
    const listed = await database.forOrg(organization.id, (tx) => listApiKeys(tx, organization.id))
    expect(listed.filter((key) => key.revokedAt === null)).toHaveLength(1)
  })

  test('an API key used during its rotation is refused after the response [S08]', async () => {
    const { organization, apiKey } = await found()
    let isRotated = false
    const early: unknown[] = []
    const late: unknown[] = []
    const askOften = async () => {
      while (late.length < 100) {
        const answers = isRotated ? late : early
        answers.push(await ask(apiKey))
      }
    }
    const rotateMeanwhile = async () => {
      await ask(apiKey)
      await rotate(organization.id)
      isRotated = true
    }
    await Promise.all([askOften(), askOften(), askOften(), askOften(), rotateMeanwhile()])
    expect(early.length).toBeGreaterThan(0)
    expect(early[0]).toMatchObject({ orgId: organization.id })
    expect(new Set(late)).toEqual(new Set(['revoked']))
  })

  test('a failed rotation leaves the old API key valid', async () => {
    const { organization, apiKey } = await found()
    const orgId = organization.id
    const undone = database.forOrg(orgId, async (tx) => {
      await rotateApiKey(tx, serviceKey, { orgId, actor, random })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await ask(apiKey)).toMatchObject({ orgId })
  })

  test('an API key is refused when its user is disabled', async () => {
    const { organization, apiKey } = await found()
    await database.transaction((tx) =>
      tx.run(sql`update users set status = 'disabled' where org_id = ${organization.id}`),
    )
    expect(await ask(apiKey)).toBe('revoked')
  })

  test('an API key inserted or changed in the database is refused [A13]', async () => {
    const [one, other] = [await found(), await found()]
    const orgId = one.organization.id
    const mine = await database.forOrg(orgId, (tx) => listApiKeys(tx, orgId))
    const forged = { forged: { orgId, keyId: mine[0]?.id } }
    const { key, hash } = newApiKey(systemRandom)
    const tamper = (what: ReturnType<typeof sql>) => database.transaction((tx) => tx.run(what))
    await tamper(sql`update api_keys set hash = ${hash} where org_id = ${orgId}`)
    expect(await ask(key)).toEqual(forged)
    expect(await database.asApi((tx) => findCallers(tx, serviceKey, [key.reveal()]))).toEqual([
      forged,
    ])
    await rotate(other.organization.id)
    const { id: otherId } = other.organization
    const old = createHash('sha256').update(other.apiKey.reveal()).digest()
    await tamper(sql`update api_keys set revoked_at = now() where org_id = ${otherId}`)
    await tamper(sql`update api_keys set revoked_at = null where hash = ${old}`)
    expect(await ask(other.apiKey)).toMatchObject({ forged: { orgId: otherId } })
  })

  test('rotateApiKey refuses a tampered user of API keys [A13]', async () => {
    const { organization, apiKey } = await found()
    const orgId = organization.id
    const office = { database, clock: world.clock, serviceKey }
    const bob = await addPerson(office, { orgId, role: 'approver' })
    const swap = (from: string, to: string) =>
      database.transaction((tx) =>
        tx.run(sql`
          update users set role = ${to}
           where org_id = ${orgId} and role = ${from}`),
      )
    await swap('api', 'viewer')
    await swap('approver', 'api')
    await expect(rotate(orgId)).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
      details: { id: bob.userId, reason: 'tampered' },
    })
    await swap('api', 'approver')
    await swap('viewer', 'api')
    expect(await ask(apiKey)).toMatchObject({ orgId })
  })

  test('the database contains no API key as text, hex or base64 [S07]', async () => {
    const { organization, apiKey } = await found()
    const keys = [apiKey, await rotate(organization.id)]
    const secrets = await database.transaction((tx) =>
      readSigningSecrets(tx, serviceKey, organization.id),
    )
    const dump = await database.transaction((tx) =>
      tx.many(sql`
        select to_jsonb(k) as row from api_keys k
         union all select to_jsonb(s) from signing_secrets s
         union all select to_jsonb(u) from users u
         union all select to_jsonb(o) from organizations o
         union all select to_jsonb(l) from audit_log l`),
    )
    const everything = JSON.stringify(dump).toLowerCase()
    expect(everything).toContain(organization.id)
    const texts = [...keys, ...secrets.map((one) => one.secret)].map((one) => one.reveal())
    expect(texts).toHaveLength(3)
    for (const text of texts)
      for (const form of formsOf(text)) expect(everything).not.toContain(form.toLowerCase())
  })

  test('listing does not show data of another organization [S09]', async () => {
    const [one, other] = [await found(), await found()]
    const seen = (orgId: string) =>
      database.forOrg(one.organization.id, (tx) => listApiKeys(tx, orgId))
    expect(await seen(one.organization.id)).toHaveLength(1)
    expect(await seen(other.organization.id)).toEqual([])
    const theirs = database.forOrg(one.organization.id, (tx) =>
      rotateApiKey(tx, serviceKey, { orgId: other.organization.id, actor, random }),
    )
    await expect(theirs).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await ask(other.apiKey)).toMatchObject({ orgId: other.organization.id })
  })

  test('the last use of an API key is recorded without a write for each request', async () => {
    const { organization, apiKey } = await found()
    const caller = await ask(apiKey)
    if (typeof caller === 'string' || 'forged' in caller) throw new Error('no caller')
    const uses = openKeyUses(world.clock)
    const lastUse = async () => {
      const [key] = await database.transaction((tx) => listApiKeys(tx, organization.id))
      return key?.lastUsedAt
    }
    expect(await lastUse()).toBeNull()
    uses.note({ orgId: caller.orgId, keyId: caller.credentialId })
    await world.clock.advance(5_000)
    uses.note({ orgId: caller.orgId, keyId: caller.credentialId })
    const usedAt = world.clock.now()
    expect(await lastUse()).toBeNull()
    await uses.flush(database)
    expect(await lastUse()).toBe(usedAt)
    await world.clock.advance(5_000)
    await uses.flush(database)
    expect(await lastUse()).toBe(usedAt)
  })
})

describe('signing secrets', () => {
  let world: TestDatabase
  let orgId: string
  beforeAll(async () => {
    world = await openTestDatabase()
    const { organization } = await world.database.transaction((tx) =>
      createOrganization(tx, serviceKey, { name: 'A', actor, random }),
    )
    orgId = organization.id
  })
  afterAll(() => world.close())

  const read = (org = orgId) =>
    world.database.forOrg(org, (tx) => readSigningSecrets(tx, serviceKey, org))
  const rotate = () =>
    world.database.forOrg(orgId, (tx) =>
      rotateSigningSecret(tx, serviceKey, { orgId, actor, random }),
    )

  test('a new organization has one signing secret: whsec_ and base64 of 32 bytes', async () => {
    const secrets = await read()
    expect(secrets).toHaveLength(1)
    expect(secrets[0]?.current).toBe(true)
    const text = secrets[0]?.secret.reveal() ?? ''
    expect(text).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(Buffer.from(text.slice(6), 'base64')).toHaveLength(32)
  })

  test('a replaced signing secret stays valid for one day', async () => {
    const [first] = await read()
    const second = await rotate()
    expect((await read()).map((one) => [one.secret.reveal(), one.current])).toEqual([
      [second.reveal(), true],
      [first?.secret.reveal(), false],
    ])
    await world.clock.advance(DAY / 2)
    const third = await rotate()
    const texts = async () => (await read()).map((one) => one.secret.reveal())
    expect(await texts()).toEqual([third.reveal(), second.reveal(), first?.secret.reveal()])
    await world.clock.advance(DAY / 2)
    expect(await texts()).toEqual([third.reveal(), second.reveal()])
    await world.clock.advance(DAY / 2)
    expect(await texts()).toEqual([third.reveal()])
  })

  test('concurrent rotations leave one current signing secret', async () => {
    await Promise.all(Array.from({ length: 6 }, rotate))
    expect((await read()).filter((one) => one.current)).toHaveLength(1)
  })

  test('the audit log has rotations of signing secrets without the secrets', async () => {
    const secret = await rotate()
    const entries = await world.database.transaction((tx) => listAudit(tx, { orgId }))
    expect(entries[0]).toMatchObject({ actor, action: 'signing-secret.rotate' })
    expect(JSON.stringify(entries)).not.toContain(secret.reveal().slice(6))
  })

  test('listing does not show data of another organization [S09]', async () => {
    const { organization } = await world.database.transaction((tx) =>
      createOrganization(tx, serviceKey, { name: 'B', actor, random }),
    )
    const theirs = world.database.forOrg(organization.id, (tx) =>
      readSigningSecrets(tx, serviceKey, orgId),
    )
    expect(await theirs).toEqual([])
    const rotated = world.database.forOrg(organization.id, (tx) =>
      rotateSigningSecret(tx, serviceKey, { orgId, actor, random }),
    )
    await expect(rotated).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('a signing secret moved to another row cannot be opened', async () => {
    await world.database.transaction((tx) =>
      tx.run(sql`
        update signing_secrets as s
           set sealed = o.sealed
          from signing_secrets as o
         where s.org_id = ${orgId} and s.valid_until is null
           and o.org_id <> ${orgId} and o.valid_until is null`),
    )
    await expect(read()).rejects.toThrow('does not open')
  })
})

function formsOf(text: string): string[] {
  const bytes = Buffer.from(text)
  const raw = Buffer.from(text.replace(/^(slk_|whsec_)/, ''), 'base64')
  return [text, text.slice(6), bytes.toString('hex'), bytes.toString('base64'), raw.toString('hex')]
}
