import { sql } from 'kysely'
import type { Tx } from '../store/database.ts'

/** Watched addresses of one scope. */
export interface WatchedBatch {
  scope: string
  /** One text, a space between two: to read a row for each would cost tenfold. */
  addresses: string
}

/** The oldest open transaction: commits of older ones are visible now. */
export async function selectSnapshotStart(tx: Tx): Promise<string> {
  const row = await tx.one(sql<{ start: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as start`)
  return row.start
}

export async function countWatched(tx: Tx): Promise<{ scope: string; count: number }[]> {
  return tx.many(sql<{ scope: string; count: number }>`
    select scope, count(*) as count
      from watched_addresses
     group by scope`)
}

/** The next watched addresses in key order, by scope; empty at the end. */
export async function selectWatchedPage(
  tx: Tx,
  { after, limit }: { after: { scope: string; address: string }; limit: number },
): Promise<(WatchedBatch & { lastAddress: string })[]> {
  return tx.many(sql<{ scope: string; lastAddress: string; addresses: string }>`
      with page as (
        select scope, address
          from watched_addresses
         where (scope, address) > (${after.scope}, ${after.address})
         order by scope, address
         limit ${limit}
      )
    select scope, max(address) as "lastAddress", string_agg(address, ' ') as addresses
      from page
     group by scope
     order by scope`)
}

/**
 * The committed addresses watched by transactions from this one on, and the transaction from which
 * to read the next time. Ignores numbers of future transactions, which only rows copied from
 * another server can have.
 */
export async function selectAddedSince(
  tx: Tx,
  from: string,
): Promise<{ readUpTo: string; added: WatchedBatch[] }> {
  const rows = await tx.many(sql<{ start: string; scope: string | null; addresses: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as start, w.scope, w.addresses
      from (select 1) one
      left join (
        select scope, string_agg(address, ' ') as addresses
          from watched_addresses
         where added_in >= ${from}::xid8
           and added_in < pg_snapshot_xmax(pg_current_snapshot())
         group by scope) w
        on true`)
  const added = rows.flatMap(({ scope, addresses }) =>
    scope === null ? [] : [{ scope, addresses }],
  )
  return { readUpTo: rows[0]?.start ?? from, added }
}
