import { createHash } from 'node:crypto'
import type { Millis } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import { Refusal } from '../base/fault.ts'
import { Secret } from '../base/secret.ts'
import { raiseAlert, resolveAlerts } from '../alerts/raise-alert.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import { draw } from '../keys/draw.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Database, Tx } from '../store/database.ts'
import type { Caller } from './caller.ts'
import {
  holdKey,
  type KeyOwnerRow,
  insertApiKey,
  lockLiveKey,
  revokeKey,
  selectApiKeys,
  selectKeyOwner,
  selectKeyOwners,
} from './key-rows.ts'
import { lockSettings } from './settings.ts'
import { readUsers } from './signers.ts'
import { selectApiUserId } from './user-rows.ts'

/** 256 bits, 43 url-safe characters after the prefix (decisions, section 5). */
const KEY_BYTES = 32
const KEY_PREFIX = 'slk_'
const KEY_SHAPE = /^slk_[A-Za-z0-9_-]{43}$/
const FORGED = 'api_key.tampered'

/** The fields of an API key that can be shown again; the key itself is shown once. */
export interface ApiKey {
  id: string
  lastFour: string
  /** The actor who made it. */
  createdBy: string
  createdAt: Millis
  revokedAt: Millis | null
  /** To the minute or so; null while never used. */
  lastUsedAt: Millis | null
}

type MacKey = Pick<ServiceKey, 'verify'>

/** Makes a key: `key` for its owner, `hash` (SHA-256) and `lastFour` for the database. */
export function newApiKey(random: Random): { key: Secret; hash: Uint8Array; lastFour: string } {
  const text = KEY_PREFIX + Buffer.from(draw(random, KEY_BYTES)).toString('base64url')
  return { key: new Secret(text), hash: hashOf(text), lastFour: text.slice(-4) }
}

/** A key whose row does not match its MAC. */
export interface ForgedKey {
  forged: { orgId: string; keyId: string }
}

/** The owner of a presented key. */
export type FoundKey = Caller | ForgedKey | 'unknown' | 'revoked'

/**
 * Returns the owner of a presented key; `tx` needs no organization (`database.asApi`). Keys are not
 * cached, so a revoked key is refused from the commit of its rotation on. The lookup is by hash, so
 * its duration reveals nothing about existing keys.
 */
export async function findCaller(tx: Tx, serviceKey: MacKey, presented: string): Promise<FoundKey> {
  if (!KEY_SHAPE.test(presented)) return 'unknown'
  const hash = hashOf(presented)
  return callerFrom(serviceKey, hash, await selectKeyOwner(tx, hash))
}

/** Like `findCaller`, for several keys, in their order. */
export async function findCallers(
  tx: Tx,
  serviceKey: MacKey,
  presented: readonly string[],
): Promise<FoundKey[]> {
  const hashes = presented.map((key) => (KEY_SHAPE.test(key) ? hashOf(key) : null))
  const asked = new Map(hashes.flatMap((hash) => (hash === null ? [] : [[nameOf(hash), hash]])))
  const owners = await selectKeyOwners(tx, [...asked.values()])
  const found = new Map(
    owners.map((owner) => [nameOf(owner.hash), callerFrom(serviceKey, owner.hash, owner)]),
  )
  return hashes.map((hash) => (hash === null ? 'unknown' : (found.get(nameOf(hash)) ?? 'unknown')))
}

function callerFrom(serviceKey: MacKey, hash: Uint8Array, owner: KeyOwnerRow | null): FoundKey {
  if (owner === null) return 'unknown'
  const { org_id: orgId, user_id: userId, key_id: keyId, revoked_at: revokedAt, mac } = owner
  const fields = fieldsOf({ orgId, keyId, userId, hash, revokedAt })
  if (!serviceKey.verify('api-key', fields, mac)) return { forged: { orgId, keyId } }
  if (revokedAt !== null || owner.user_status !== 'active') return 'revoked'
  return { orgId, userId, role: 'api', credential: 'apiKey', credentialId: keyId }
}

/** Returns whether a key is live, and makes rotations of it wait until the commit. */
export async function keepsKey(
  tx: Tx,
  serviceKey: MacKey,
  { orgId, credentialId: id }: Pick<Caller, 'orgId' | 'credentialId'>,
): Promise<boolean> {
  const owner = await holdKey(tx, { orgId, id })
  return owner !== null && 'credentialId' in Object(callerFrom(serviceKey, owner.hash, owner))
}

/**
 * Replaces the organization's key; the old key is refused from the commit on. Refuses with
 * NOT_FOUND (organization), and with INTERNAL_ERROR if the row of the key's user was tampered with:
 * a new key would authenticate that user.
 */
export async function rotateApiKey(
  tx: Tx,
  serviceKey: ServiceKey,
  params: { orgId: string; actor: string; random: Random },
): Promise<Secret> {
  const { orgId, actor, random } = params
  // Locks out a concurrent rotation, which must see the key that this one creates.
  await lockSettings(tx, orgId)
  const live = await lockLiveKey(tx, orgId)
  if (live !== null) {
    const { id, user_id: userId, hash } = live
    const revokedAt = tx.clock.now()
    const mac = macOfApiKey(serviceKey, { orgId, keyId: id, userId, hash, revokedAt })
    await revokeKey(tx, { orgId, id, at: revokedAt, mac })
  }
  const userId = await authenticApiUser(tx, serviceKey, orgId)
  return addApiKey(tx, serviceKey, { orgId, userId, actor, random, action: 'api-key.rotate' })
}

/**
 * Like `rotateApiKey`, for an operator; also closes the alerts on the organization's keys. A
 * rotation over the interface does not close them, because they are raised for operators.
 */
export async function rotateForOperator(
  tx: Tx,
  serviceKey: ServiceKey,
  params: { orgId: string; actor: string; random: Random },
): Promise<Secret> {
  const key = await rotateApiKey(tx, serviceKey, params)
  const subjects = (await listApiKeys(tx, params.orgId)).map(({ id }) => id)
  await resolveAlerts(tx, { code: FORGED, subjects })
  return key
}

async function authenticApiUser(tx: Tx, serviceKey: ServiceKey, orgId: string): Promise<string> {
  const id = await selectApiUserId(tx, orgId)
  const user = (await readUsers(tx, serviceKey, { orgId, ids: [id] })).get(id)
  if (user?.authentic === true && user.role === 'api') return id
  const says = 'The user that API keys belong to was changed in the database: no key was made.'
  throw new Refusal('INTERNAL_ERROR', { id, reason: 'tampered' }, says)
}

/** Stores a new key of an organization that has no live one. */
export async function addApiKey(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'mac'>,
  params: { orgId: string; userId: string; actor: string; random: Random; action: string },
): Promise<Secret> {
  const { orgId, userId, actor, action } = params
  const { key, hash, lastFour } = newApiKey(params.random)
  const id = tx.ids.next()
  const mac = macOfApiKey(serviceKey, { orgId, keyId: id, userId, hash, revokedAt: null })
  await insertApiKey(tx, { orgId, id, userId, hash, lastFour, actor, mac })
  await writeAudit(tx, { orgId, actor, action, object: id, details: { lastFour } })
  return key
}

/** The fields of a key that its MAC protects from changes in the database. */
export interface AuthenticatedKey {
  orgId: string
  keyId: string
  userId: string
  /** SHA-256 of the key. */
  hash: Uint8Array
  revokedAt: Millis | null
}

/** The MAC of a key: its owner, and whether it is revoked. */
export function macOfApiKey(
  serviceKey: Pick<ServiceKey, 'mac'>,
  key: AuthenticatedKey,
): Uint8Array {
  return serviceKey.mac('api-key', fieldsOf(key))
}

function fieldsOf({ orgId, keyId, userId, hash, revokedAt }: AuthenticatedKey) {
  return [orgId, keyId, userId, nameOf(hash), revokedAt]
}

/** Raises an alert for a tampered key that was used. */
export async function raiseForgedKey(database: Database, { forged }: ForgedKey): Promise<void> {
  const { orgId, keyId: subject } = forged
  const message =
    `The API key ${subject} of the organization ${orgId} was put into the database, or changed ` +
    'there. It was used, and the request was refused.'
  const details = { orgId }
  await database.transaction((tx) => raiseAlert(tx, { code: FORGED, subject, message, details }))
}

/** The organization's keys, the live one first. */
export async function listApiKeys(tx: Tx, orgId: string): Promise<ApiKey[]> {
  const rows = await selectApiKeys(tx, orgId)
  return rows.map((row) => ({
    id: row.id,
    lastFour: row.last_four,
    createdBy: row.created_by,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  }))
}

function nameOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString('base64')
}

function hashOf(key: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(key).digest())
}
