import type { Scope } from '@sluice/wire'
import { type RawBuilder, sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import { joinConditions } from '../store/conditions.ts'
import type { Tx } from '../store/database.ts'

/** The authenticated columns of `api_keys`, with their MAC. */
export interface KeyRow {
  org_id: string
  id: string
  user_id: string
  hash: Uint8Array
  name: string
  scopes: Scope[]
  networks: string[]
  expires_at: Millis | null
  is_default: boolean
  revoked_at: Millis | null
  version: string | null
  /** Empty if a later state of the row took its place. */
  mac: Uint8Array
}

/** A row of `api_key_owner`. */
export interface KeyOwnerRow extends KeyRow {
  user_status: 'active' | 'disabled'
}

/** A row of `api_keys`. */
export interface ApiKeyRow extends KeyRow {
  last_four: string
  created_by: string
  created_at: Millis
  last_used_at: Millis | null
}

/** Filters of a list of keys. */
export interface KeyFilter {
  /** A part of the name in any case, or the whole last four characters or id. */
  q?: string
  scope?: Scope
  /** The status at the time of the query. */
  status?: 'active' | 'expired' | 'revoked'
}

/** Several keys in their order: the newest first. */
export interface KeyPage {
  orgId: string
  filter: KeyFilter
  after: { createdAt: Millis; id: string } | null
  /** Null for all. */
  limit: number | null
}

const columns = sql`
           k.org_id, k.id, k.user_id, k.hash, k.name, k.scopes, k.networks, k.expires_at,
           k.is_default, k.revoked_at, k.version, in_force(k.mac) as mac`
const all = sql`${columns}, k.last_four, k.created_by, k.created_at, k.last_used_at`

/** The owner of a key; needs no organization. */
export async function selectKeyOwner(tx: Tx, hash: Uint8Array): Promise<KeyOwnerRow | null> {
  return tx.maybe(sql<KeyOwnerRow>`
    select *
      from api_key_owner(${hash})`)
}

/** The owners of many keys. */
export async function selectKeyOwners(
  tx: Tx,
  hashes: readonly Uint8Array[],
): Promise<KeyOwnerRow[]> {
  return tx.many(sql<KeyOwnerRow>`
    select owner.*
      from unnest(${[...hashes]}::bytea[]) as asked (hash)
     cross join lateral api_key_owner(asked.hash) as owner`)
}

/**
 * A key and its owner. Changes (`lockKey`) wait until the commit. The lock is the weakest one, so
 * that concurrent requests with the key do not wait for each other.
 */
export async function holdKey(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<KeyOwnerRow | null> {
  return tx.maybe(sql<KeyOwnerRow>`
    select ${columns}, u.status as user_status
      from api_keys k
      join users u on u.org_id = k.org_id and u.id = k.user_id
     where k.org_id = ${orgId}
       and k.id = ${id}
       for key share of k`)
}

export async function insertApiKey(
  tx: Tx,
  params: Omit<ApiKeyRow, 'created_at' | 'revoked_at' | 'version' | 'last_used_at'>,
): Promise<ApiKeyRow> {
  return tx.one(sql<ApiKeyRow>`
    insert into api_keys as k
      (org_id, id, user_id, hash, name, scopes, networks, expires_at, is_default, last_four,
       created_by, created_at, mac)
    values
      (${params.org_id}, ${params.id}, ${params.user_id}, ${params.hash}, ${params.name},
       ${params.scopes}::text[], ${params.networks}::text[], ${isoOrNull(params.expires_at)},
       ${params.is_default}, ${params.last_four}, ${params.created_by}, ${iso(tx.clock.now())},
       ${params.mac})
    returning ${all}`)
}

/** The name of a key, also of a revoked one. */
export async function selectKeyName(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<string | null> {
  const row = await tx.maybe(sql<{ name: string }>`
    select name
      from api_keys
     where org_id = ${orgId}
       and id = ${id}`)
  return row?.name ?? null
}

/** Locks one key, also a revoked one. */
export async function lockKey(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<ApiKeyRow | null> {
  return tx.maybe(sql<ApiKeyRow>`
    select ${all}
      from api_keys k
     where k.org_id = ${orgId}
       and k.id = ${id}
       for update`)
}

/** Returns null for an organization without a default key. */
export async function lockDefaultKey(tx: Tx, orgId: string): Promise<ApiKeyRow | null> {
  return tx.maybe(sql<ApiKeyRow>`
    select ${all}
      from api_keys k
     where k.org_id = ${orgId}
       and k.is_default
       and k.revoked_at is null
       for update`)
}

/** How many keys are neither revoked nor expired. */
export async function countActiveKeys(tx: Tx, orgId: string): Promise<number> {
  const { keys } = await tx.one(sql<{ keys: number }>`
    select count(*)::int as keys
      from api_keys
     where org_id = ${orgId}
       and revoked_at is null
       and (expires_at is null or expires_at > ${iso(tx.clock.now())})`)
  return keys
}

/** Stores the authenticated columns that can change, with their MAC. */
export async function updateKey(tx: Tx, key: KeyRow): Promise<void> {
  await tx.run(sql`
    update api_keys
       set name = ${key.name},
           scopes = ${key.scopes}::text[],
           networks = ${key.networks}::text[],
           expires_at = ${isoOrNull(key.expires_at)},
           is_default = ${key.is_default},
           revoked_at = ${isoOrNull(key.revoked_at)},
           version = ${key.version},
           mac = ${key.mac}
     where org_id = ${key.org_id}
       and id = ${key.id}`)
}

/** One page, revoked keys too. */
export async function selectApiKeys(tx: Tx, page: KeyPage): Promise<ApiKeyRow[]> {
  return tx.many(pageQuery(page, tx.clock.now()))
}

/**
 * The query of a page; without a filter it reads only the rows of the page. A filter compares each
 * key, because an organization has few.
 */
export function pageQuery(
  { orgId, filter, after, limit }: KeyPage,
  now: Millis,
): RawBuilder<ApiKeyRow> {
  const { q, scope, status } = filter
  const parts = joinConditions([
    q !== undefined &&
      sql`and (strpos(lower(k.name), lower(${q})) > 0 or k.last_four = ${q} or k.id::text = ${q})`,
    scope !== undefined && sql`and k.scopes @> array[${scope}]::text[]`,
    status !== undefined && statusIs(status, now),
    after !== null &&
      sql`and (k.created_at, k.id) < (${iso(after.createdAt)}::timestamptz, ${after.id}::uuid)`,
  ])
  return sql<ApiKeyRow>`
    select ${all}
      from api_keys k
     where k.org_id = ${orgId}
       ${parts}
     order by k.created_at desc, k.id desc
     limit ${limit}`
}

function statusIs(status: NonNullable<KeyFilter['status']>, now: Millis): RawBuilder<unknown> {
  if (status === 'revoked') return sql`and k.revoked_at is not null`
  return status === 'expired'
    ? sql`and k.revoked_at is null and k.expires_at <= ${iso(now)}`
    : sql`and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${iso(now)})`
}

function isoOrNull(at: Millis | null): string | null {
  return at === null ? null : iso(at)
}

/** Ignores times older than the stored one. */
export async function updateLastUse(
  tx: Tx,
  uses: readonly { orgId: string; keyId: string; at: Millis }[],
): Promise<void> {
  await tx.run(sql`
    update api_keys as k
       set last_used_at = used.at
      from unnest(
             ${uses.map((use) => use.orgId)}::uuid[],
             ${uses.map((use) => use.keyId)}::uuid[],
             ${uses.map((use) => iso(use.at))}::timestamptz[]
           ) as used (org_id, id, at)
     where k.org_id = used.org_id
       and k.id = used.id
       and (k.last_used_at is null or k.last_used_at < used.at)`)
}
