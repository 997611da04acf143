import { SCOPES } from '@sluice/wire'
import { type Millis, iso } from '../base/clock.ts'
import { Refusal } from '../base/fault.ts'
import type { Random } from '../base/random.ts'
import type { Secret } from '../base/secret.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { type ApiKey, type KeyTerms, keyFromRow, macOfApiKey, newApiKey } from './api-key.ts'
import { countActiveKeys, insertApiKey } from './key-rows.ts'
import { parseNetworks } from './network.ts'
import { lockSettings } from './settings.ts'
import { readUsers } from './signers.ts'
import { selectApiUserId } from './user-rows.ts'

/** Keys of an organization that are neither revoked nor expired. */
const ACTIVE_KEYS_MAX = 100
const NAME_SHAPE = /^[^\p{Cc}\p{Cs}]{1,100}$/u

/** The terms of the key that a new organization has, and of its replacements. */
export const DEFAULT_TERMS: KeyTerms = {
  name: 'Default',
  scopes: SCOPES,
  networks: [],
  expiresAt: null,
}

/** A new key, which is shown once, with its record. */
export interface NewKey {
  key: Secret
  apiKey: ApiKey
}

/**
 * Makes a key with a name and limits. Refuses with NOT_FOUND (organization), with BAD_REQUEST for
 * terms that `parseTerms` refuses and for too many keys, and with INTERNAL_ERROR if the row of the
 * keys' user was tampered with.
 */
export async function createApiKey(
  tx: Tx,
  serviceKey: ServiceKey,
  params: { orgId: string; terms: KeyTerms; actor: string; random: Random },
): Promise<NewKey> {
  const { orgId, terms: asked, actor, random } = params
  // Two creations at once count each other's keys.
  await lockSettings(tx, orgId)
  const terms = parseTerms(asked, tx.clock.now())
  if ((await countActiveKeys(tx, orgId)) >= ACTIVE_KEYS_MAX)
    throw new Refusal(
      'BAD_REQUEST',
      { maximum: ACTIVE_KEYS_MAX },
      `An organization has at most ${ACTIVE_KEYS_MAX} active API keys. Revoke one first.`,
    )
  const userId = await authenticApiUser(tx, serviceKey, orgId)
  const key = { orgId, userId, terms, isDefault: false, actor, random }
  return addApiKey(tx, serviceKey, { ...key, action: 'api-key.create' })
}

/**
 * Checks the terms of a key and writes its networks in one way. Refuses with BAD_REQUEST: a name
 * without 1 to 100 characters, no scope, an invalid network, an expiry that has passed.
 */
export function parseTerms(terms: KeyTerms, now: Millis): KeyTerms {
  const { name, scopes, expiresAt } = terms
  if (!NAME_SHAPE.test(name) || name.trim() === '')
    refuse('name', 'must have 1 to 100 characters, without control characters')
  if (scopes.length === 0) refuse('scopes', `must name one or more of ${SCOPES.join(', ')}`)
  if (expiresAt !== null && expiresAt <= now) refuse('expiresAt', 'must be in the future')
  return {
    name,
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    networks: parseNetworks('allowedCidrs', terms.networks),
    expiresAt,
  }
}

function refuse(field: string, says: string): never {
  throw new Refusal('BAD_REQUEST', { field }, `\`${field}\` ${says}.`)
}

/** The user that API keys belong to. Refuses with INTERNAL_ERROR if its row was tampered with. */
export async function authenticApiUser(
  tx: Tx,
  serviceKey: ServiceKey,
  orgId: string,
): Promise<string> {
  const id = await selectApiUserId(tx, orgId)
  const user = (await readUsers(tx, serviceKey, { orgId, ids: [id] })).get(id)
  if (user?.authentic === true && user.role === 'api') return id
  const says = 'The user that API keys belong to was changed in the database: no key was made.'
  throw new Refusal('INTERNAL_ERROR', { id, reason: 'tampered' }, says)
}

/** Stores a new key with terms that were checked. */
export async function addApiKey(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'mac'>,
  params: {
    orgId: string
    userId: string
    terms: KeyTerms
    isDefault: boolean
    actor: string
    random: Random
    action: string
    details?: Record<string, unknown>
  },
): Promise<NewKey> {
  const { orgId, terms, actor, action } = params
  const { key, hash, lastFour } = newApiKey(params.random)
  const fields = {
    org_id: orgId,
    id: tx.ids.next(),
    user_id: params.userId,
    hash,
    name: terms.name,
    scopes: [...terms.scopes],
    networks: [...terms.networks],
    expires_at: terms.expiresAt,
    is_default: params.isDefault,
  }
  const mac = macOfApiKey(serviceKey, { ...fields, revoked_at: null, version: null })
  const row = await insertApiKey(tx, { ...fields, mac, last_four: lastFour, created_by: actor })
  const details = { lastFour, ...describeTerms(terms), ...params.details }
  await writeAudit(tx, { orgId, actor, action, object: row.id, details })
  return { key, apiKey: keyFromRow(row) }
}

/** The terms of a key as the audit log has them. */
export function describeTerms({ name, scopes, networks, expiresAt }: KeyTerms) {
  return { name, scopes, networks, expiresAt: expiresAt === null ? null : iso(expiresAt) }
}
