import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import type { WatchIdentity } from './row-mac.ts'

/** A watched address as it is stored; its MAC is to be checked before any field of it is used. */
export type StoredWatch = WatchIdentity & { mac: Uint8Array }

/** The columns of a `StoredWatch`. */
export const watchColumns = sql`
           scope, address, org_id as "orgId", chain_id as "chainId", purpose,
           account_id as "accountId", external_user_id as "externalUserId",
           wallet_number as wallet, path_index as index, mac`

/** The addresses among these that are watched in a scope. */
export async function selectWatched(
  tx: Tx,
  scope: string,
  addresses: readonly Address[],
): Promise<StoredWatch[]> {
  return tx.many(sql<StoredWatch>`
    select ${watchColumns}
      from watched_addresses
     where scope = ${scope}
       and address = any(${addresses}::text[])`)
}

/** Inserts a row; false if the address is already watched in this scope by any organization. */
export async function insertWatched(tx: Tx, watch: StoredWatch): Promise<boolean> {
  const row = await tx.maybe(sql<{ address: Address }>`
    insert into watched_addresses (
           scope, address, org_id, chain_id, purpose, account_id, external_user_id,
           wallet_number, path_index, mac, created_at)
    values (${watch.scope}, ${watch.address}, ${watch.orgId}, ${watch.chainId},
            ${watch.purpose}, ${watch.accountId}, ${watch.externalUserId},
            ${watch.wallet}, ${watch.index}, ${watch.mac}, ${iso(tx.clock.now())}::timestamptz)
        on conflict (scope, address) do nothing
    returning address`)
  return row !== null
}

/** Addresses of a scope in their own order, from just after one of them. */
export async function selectWatchedAfter(
  tx: Tx,
  query: { scope: string; after: Address | null; limit: number },
): Promise<{ orgId: string; address: Address }[]> {
  return tx.many(sql<{ orgId: string; address: Address }>`
    select org_id as "orgId", address
      from watched_addresses
     where scope = ${query.scope}
       and address > ${query.after ?? ''}
     order by address
     limit ${query.limit}`)
}

/** Addresses of a scope issued since a time, the last first. */
export async function selectIssuedSince(
  tx: Tx,
  query: { scope: string; since: Millis; limit: number },
): Promise<{ orgId: string; address: Address }[]> {
  return tx.many(sql<{ orgId: string; address: Address }>`
    select org_id as "orgId", address
      from watched_addresses
     where scope = ${query.scope}
       and created_at >= ${iso(query.since)}
     order by created_at desc
     limit ${query.limit}`)
}
