import { createHash } from 'node:crypto'
import type { Millis } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import { Secret } from '../base/secret.ts'
import { raiseAlert } from '../alerts/raise-alert.ts'
import { draw } from '../keys/draw.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Database, Tx } from '../store/database.ts'
import type { KeyLimits, KeyOwner } from './caller.ts'
import {
  type ApiKeyRow,
  type KeyOwnerRow,
  type KeyPage,
  type KeyRow,
  holdKey,
  selectApiKeys,
  selectKeyOwner,
  selectKeyOwners,
} from './key-rows.ts'

/** 256 bits, 43 url-safe characters after the prefix (decisions, section 5). */
const KEY_BYTES = 32
const KEY_PREFIX = 'slk_'
const KEY_SHAPE = /^slk_[A-Za-z0-9_-]{43}$/
/** The alert on a key that was changed in the database. */
export const FORGED_KEY = 'api_key.tampered'

/** What an admin decides about an API key. */
export interface KeyTerms extends KeyLimits {
  name: string
  /** Null: it does not expire. */
  expiresAt: Millis | null
}

/** The fields of an API key that can be shown again; the key itself is shown once. */
export interface ApiKey extends KeyTerms {
  id: string
  /** Whether it is the key that `rotateApiKey` replaces. */
  isDefault: boolean
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
export type FoundKey = KeyOwner | ForgedKey | 'unknown' | 'revoked' | 'expired'

/**
 * Returns the owner of a presented key; `tx` needs no organization (`database.asApi`). Keys are not
 * cached, so a revoked key is refused from the commit of its rotation on. The lookup is by hash, so
 * its duration reveals nothing about existing keys.
 */
export async function findCaller(tx: Tx, serviceKey: MacKey, presented: string): Promise<FoundKey> {
  if (!KEY_SHAPE.test(presented)) return 'unknown'
  const owner = await selectKeyOwner(tx, hashOf(presented))
  return owner === null ? 'unknown' : callerFrom(serviceKey, owner, tx.clock.now())
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
  const at = tx.clock.now()
  const found = new Map(
    owners.map((owner) => [nameOf(owner.hash), callerFrom(serviceKey, owner, at)]),
  )
  return hashes.map((hash) => (hash === null ? 'unknown' : (found.get(nameOf(hash)) ?? 'unknown')))
}

function callerFrom(
  serviceKey: MacKey,
  owner: KeyOwnerRow,
  at: Millis,
): Exclude<FoundKey, 'unknown'> {
  const { org_id: orgId, user_id: userId, id: credentialId, scopes, networks } = owner
  if (!isAuthentic(serviceKey, owner)) return { forged: { orgId, keyId: credentialId } }
  if (owner.revoked_at !== null || owner.user_status !== 'active') return 'revoked'
  if (owner.expires_at !== null && owner.expires_at <= at) return 'expired'
  const limits = { scopes, networks }
  return { orgId, userId, role: 'api', credential: 'apiKey', credentialId, limits }
}

/** The owner of a key that is still valid, else null; changes of the key wait until the commit. */
export async function holdOwner(
  tx: Tx,
  serviceKey: MacKey,
  { orgId, credentialId: id }: Pick<KeyOwner, 'orgId' | 'credentialId'>,
): Promise<KeyOwner | null> {
  const row = await holdKey(tx, { orgId, id })
  const owner = row === null ? 'revoked' : callerFrom(serviceKey, row, tx.clock.now())
  return typeof owner === 'object' && 'credentialId' in owner ? owner : null
}

/** The MAC of a key: its owner, all that it may do, and whether it is revoked. */
export function macOfApiKey(
  serviceKey: Pick<ServiceKey, 'mac'>,
  key: Omit<KeyRow, 'mac'>,
): Uint8Array {
  return serviceKey.mac('api-key', fieldsOf(key))
}

/** Whether the MAC of a stored key matches. */
export function isAuthentic(serviceKey: MacKey, key: KeyRow): boolean {
  return serviceKey.verify('api-key', fieldsOf(key), key.mac)
}

function fieldsOf(key: Omit<KeyRow, 'mac'>) {
  return [
    key.org_id,
    key.id,
    key.user_id,
    nameOf(key.hash),
    key.revoked_at,
    key.name,
    JSON.stringify(key.scopes),
    JSON.stringify(key.networks),
    key.expires_at,
    Number(key.is_default),
    key.version,
  ]
}

/** Raises an alert for a tampered key that was used. */
export async function raiseForgedKey(database: Database, { forged }: ForgedKey): Promise<void> {
  const { orgId, keyId: subject } = forged
  const message =
    `The API key ${subject} of the organization ${orgId} was put into the database, or changed ` +
    'there. It was used, and the request was refused.'
  const details = { orgId }
  const alert = { code: FORGED_KEY, subject, orgId, message, details } as const
  await database.transaction((tx) => raiseAlert(tx, alert))
}

/** The organization's keys, the newest first; one page of them, or all. */
export async function listApiKeys(
  tx: Tx,
  orgId: string,
  page: Omit<KeyPage, 'orgId'> = { filter: {}, after: null, limit: null },
): Promise<ApiKey[]> {
  return (await selectApiKeys(tx, { orgId, ...page })).map(keyFromRow)
}

/** Reads a key as it is stored. */
export function keyFromRow(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    networks: row.networks,
    expiresAt: row.expires_at,
    isDefault: row.is_default,
    lastFour: row.last_four,
    createdBy: row.created_by,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  }
}

function nameOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString('base64')
}

function hashOf(key: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(key).digest())
}
