import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'

/** A row of `api_key_owner`. */
export interface KeyOwnerRow {
  org_id: string
  key_id: string
  user_id: string
  user_status: 'active' | 'disabled'
  revoked_at: Millis | null
  mac: Uint8Array
}

/** A row of `api_keys`, without the hash. */
export interface ApiKeyRow {
  org_id: string
  id: string
  user_id: string
  last_four: string
  created_by: string
  created_at: Millis
  revoked_at: Millis | null
  last_used_at: Millis | null
}

/** The owner of a key; needs no organization. */
export async function selectKeyOwner(tx: Tx, hash: Uint8Array): Promise<KeyOwnerRow | null> {
  return tx.maybe(sql<KeyOwnerRow>`
    select *
      from api_key_owner(${hash})`)
}

/** The owners of many keys, each with the hash it was found by. */
export async function selectKeyOwners(
  tx: Tx,
  hashes: readonly Uint8Array[],
): Promise<(KeyOwnerRow & { hash: Uint8Array })[]> {
  return tx.many(sql<KeyOwnerRow & { hash: Uint8Array }>`
    select asked.hash, owner.*
      from unnest(${[...hashes]}::bytea[]) as asked (hash)
     cross join lateral api_key_owner(asked.hash) as owner`)
}

/**
 * A key and its owner. Revocations (`lockLiveKey`) wait until the commit. The lock is the weakest
 * one, so that concurrent requests with the key do not wait for each other.
 */
export async function holdKey(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<(KeyOwnerRow & { hash: Uint8Array }) | null> {
  return tx.maybe(sql<KeyOwnerRow & { hash: Uint8Array }>`
    select k.org_id, k.id as key_id, k.user_id, u.status as user_status, k.revoked_at,
           in_force(k.mac) as mac, k.hash
      from api_keys k
      join users u on u.org_id = k.org_id and u.id = k.user_id
     where k.org_id = ${orgId}
       and k.id = ${id}
       for key share of k`)
}

export async function insertApiKey(
  tx: Tx,
  params: {
    orgId: string
    id: string
    userId: string
    hash: Uint8Array
    lastFour: string
    actor: string
    mac: Uint8Array
  },
): Promise<void> {
  await tx.run(sql`
    insert into api_keys
      (org_id, id, user_id, hash, last_four, created_by, created_at, mac)
    values
      (${params.orgId}, ${params.id}, ${params.userId}, ${params.hash}, ${params.lastFour},
       ${params.actor}, ${iso(tx.clock.now())}, ${params.mac})`)
}

/** Returns null for an organization without a live key. */
export async function lockLiveKey(
  tx: Tx,
  orgId: string,
): Promise<{ id: string; user_id: string; hash: Uint8Array } | null> {
  return tx.maybe(sql<{ id: string; user_id: string; hash: Uint8Array }>`
    select id, user_id, hash
      from api_keys
     where org_id = ${orgId}
       and revoked_at is null
       for update`)
}

export async function revokeKey(
  tx: Tx,
  params: { orgId: string; id: string; at: Millis; mac: Uint8Array },
): Promise<void> {
  await tx.run(sql`
    update api_keys
       set revoked_at = ${iso(params.at)},
           mac = ${params.mac}
     where org_id = ${params.orgId}
       and id = ${params.id}`)
}

/** Newest first, revoked ones too. */
export async function selectApiKeys(tx: Tx, orgId: string): Promise<ApiKeyRow[]> {
  return tx.many(sql<ApiKeyRow>`
    select org_id, id, user_id, last_four, created_by, created_at, revoked_at, last_used_at
      from api_keys
     where org_id = ${orgId}
     order by created_at desc, id desc`)
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
