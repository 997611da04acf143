import { sql } from 'kysely'
import type { Queries } from '../store/queries.ts'
import type { AccountIdentity, WatchIdentity } from './row-mac.ts'
import { watchColumns } from './watch-rows.ts'

/** Accounts without a MAC, of all organizations. */
export function selectBareAccounts(session: Queries, limit: number): Promise<AccountIdentity[]> {
  return session.many(sql<AccountIdentity>`
    select org_id as "orgId", id, chain_id as "chainId", external_user_id as "externalUserId",
           address, destination_tag as "destinationTag", wallet_number as wallet,
           path_index as index
      from accounts
     where mac = ''
     limit ${limit}`)
}

/** Watched addresses without a MAC. */
export function selectBareWatches(session: Queries, limit: number): Promise<WatchIdentity[]> {
  return session.many(sql<WatchIdentity>`
    select ${watchColumns}
      from watched_addresses
     where mac = ''
     limit ${limit}`)
}

export async function updateAccountMacs(
  session: Queries,
  rows: readonly (AccountIdentity & { mac: Uint8Array })[],
): Promise<void> {
  await session.run(sql`
    update accounts a
       set mac = u.mac
      from unnest(
           ${rows.map(({ orgId }) => orgId)}::uuid[],
           ${rows.map(({ id }) => id)}::uuid[],
           ${rows.map(({ mac }) => mac)}::bytea[]) as u (org_id, id, mac)
     where a.org_id = u.org_id
       and a.id = u.id`)
}

export async function updateWatchMacs(
  session: Queries,
  rows: readonly (WatchIdentity & { mac: Uint8Array })[],
): Promise<void> {
  await session.run(sql`
    update watched_addresses w
       set mac = u.mac
      from unnest(
           ${rows.map(({ scope }) => scope)}::text[],
           ${rows.map(({ address }) => address)}::text[],
           ${rows.map(({ mac }) => mac)}::bytea[]) as u (scope, address, mac)
     where w.scope = u.scope
       and w.address = u.address`)
}
