import { type Millis, iso } from '../base/clock.ts'
import { Refusal } from '../base/fault.ts'
import { isId } from '../base/id.ts'
import type { Random } from '../base/random.ts'
import type { Secret } from '../base/secret.ts'
import { resolveAlerts } from '../alerts/raise-alert.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import {
  type ApiKey,
  FORGED_KEY,
  type KeyTerms,
  isAuthentic,
  keyFromRow,
  listApiKeys,
  macOfApiKey,
} from './api-key.ts'
import {
  DEFAULT_TERMS,
  type NewKey,
  addApiKey,
  authenticApiUser,
  describeTerms,
  parseTerms,
} from './create-api-key.ts'
import { type ApiKeyRow, lockDefaultKey, lockKey, updateKey } from './key-rows.ts'
import { lockSettings } from './settings.ts'

/** The key to change, and the actor. */
interface KeyChange {
  orgId: string
  id: string
  actor: string
}

/**
 * Changes the terms of a key; absent terms stay as they are. Refuses with NOT_FOUND (no active key
 * has the id), with BAD_REQUEST as `parseTerms` does, and with INTERNAL_ERROR if its row was
 * tampered with.
 */
export async function changeApiKey(
  tx: Tx,
  serviceKey: ServiceKey,
  { orgId, id, actor, terms }: KeyChange & { terms: Partial<KeyTerms> },
): Promise<{ apiKey: ApiKey; isChanged: boolean }> {
  const row = await lockActive(tx, serviceKey, { orgId, id })
  const before = keyFromRow(row)
  const { name, scopes, networks, expiresAt } = parseTerms({ ...before, ...terms }, tx.clock.now())
  const after = { ...before, name, scopes, networks, expiresAt }
  const details = { from: describeTerms(before), to: describeTerms(after) }
  if (JSON.stringify(details.from) === JSON.stringify(details.to))
    return { apiKey: before, isChanged: false }
  await storeKey(tx, serviceKey, {
    ...row,
    name,
    scopes: [...scopes],
    networks: [...networks],
    expires_at: expiresAt,
  })
  await writeAudit(tx, { orgId, actor, action: 'api-key.change', object: id, details })
  return { apiKey: after, isChanged: true }
}

/**
 * Revokes a key at the commit. To revoke it twice changes nothing. Refuses with NOT_FOUND.
 */
export async function revokeApiKey(
  tx: Tx,
  serviceKey: ServiceKey,
  { orgId, id, actor }: KeyChange,
): Promise<{ apiKey: ApiKey; isChanged: boolean }> {
  const row = await lockAny(tx, { orgId, id })
  if (row.revoked_at !== null) return { apiKey: keyFromRow(row), isChanged: false }
  const revoked = await revoke(tx, serviceKey, row)
  const details = { lastFour: row.last_four, name: row.name }
  await writeAudit(tx, { orgId, actor, action: 'api-key.revoke', object: id, details })
  return { apiKey: keyFromRow(revoked), isChanged: true }
}

/**
 * Replaces a key by a new one with the same terms. The old key is refused from the commit on, or
 * after `overlapMs`, if that is not 0 and the key does not expire earlier. The new key expires when
 * the old one would have, unless `expiresAt` says otherwise. Refuses as `changeApiKey` does.
 */
export async function replaceApiKey(
  tx: Tx,
  serviceKey: ServiceKey,
  params: KeyChange & { overlapMs: Millis; expiresAt?: Millis | null; random: Random },
): Promise<NewKey> {
  const { orgId, id, actor, random, overlapMs } = params
  const now = tx.clock.now()
  const row = await lockActive(tx, serviceKey, { orgId, id })
  const { expiresAt = row.expires_at } = params
  const terms = parseTerms({ ...keyFromRow(row), expiresAt }, now)
  const validUntil = Math.min(now + overlapMs, row.expires_at ?? Infinity)
  if (overlapMs === 0) await revoke(tx, serviceKey, row)
  else await storeKey(tx, serviceKey, { ...row, is_default: false, expires_at: validUntil })
  const userId = await authenticApiUser(tx, serviceKey, orgId)
  const details = { replaces: id, validUntil: iso(validUntil) }
  const key = { orgId, userId, terms, isDefault: row.is_default, actor, random }
  return addApiKey(tx, serviceKey, { ...key, action: 'api-key.rotate', details })
}

/**
 * Replaces the organization's default key by one with every scope; the old key is refused from the
 * commit on. Refuses with NOT_FOUND (organization), and with INTERNAL_ERROR if the row of the key's
 * user was tampered with: a new key would authenticate that user.
 */
export async function rotateApiKey(
  tx: Tx,
  serviceKey: ServiceKey,
  params: { orgId: string; actor: string; random: Random },
): Promise<Secret> {
  const { orgId, actor, random } = params
  // Locks out a concurrent rotation, which must see the key that this one creates.
  await lockSettings(tx, orgId)
  const old = await lockDefaultKey(tx, orgId)
  if (old !== null) await revoke(tx, serviceKey, old)
  const userId = await authenticApiUser(tx, serviceKey, orgId)
  const fresh = { orgId, userId, terms: DEFAULT_TERMS, isDefault: true, actor, random }
  const details = { replaces: old?.id ?? null }
  return (await addApiKey(tx, serviceKey, { ...fresh, action: 'api-key.rotate', details })).key
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
  await resolveAlerts(tx, { code: FORGED_KEY, subjects })
  return key
}

async function lockAny(tx: Tx, { orgId, id }: { orgId: string; id: string }): Promise<ApiKeyRow> {
  await lockSettings(tx, orgId)
  return (isId(id) ? await lockKey(tx, { orgId, id }) : null) ?? refuseUnknown(id)
}

/** A key whose terms may be copied: valid now, and as the service wrote it. */
async function lockActive(
  tx: Tx,
  serviceKey: ServiceKey,
  key: { orgId: string; id: string },
): Promise<ApiKeyRow> {
  const row = await lockAny(tx, key)
  if (!isAuthentic(serviceKey, row)) {
    const says = 'The API key was changed in the database, so it was not changed. Revoke it.'
    throw new Refusal('INTERNAL_ERROR', { id: row.id, reason: 'tampered' }, says)
  }
  const isExpired = row.expires_at !== null && row.expires_at <= tx.clock.now()
  return row.revoked_at !== null || isExpired ? refuseUnknown(row.id) : row
}

/** Revokes also a tampered key: a revoked key has no rights, whatever its row says. */
async function revoke(tx: Tx, serviceKey: ServiceKey, row: ApiKeyRow): Promise<ApiKeyRow> {
  return storeKey(tx, serviceKey, { ...row, revoked_at: tx.clock.now() })
}

/** Stores a key under a new version, with its MAC. */
async function storeKey(tx: Tx, serviceKey: ServiceKey, row: ApiKeyRow): Promise<ApiKeyRow> {
  const next = { ...row, version: tx.ids.next() }
  const stored = { ...next, mac: macOfApiKey(serviceKey, next) }
  await updateKey(tx, stored)
  return stored
}

function refuseUnknown(id: string): never {
  throw new Refusal('NOT_FOUND', { id }, 'No active API key of your organization has this id.')
}
