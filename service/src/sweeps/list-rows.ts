import { type RawBuilder, sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import { joinConditions } from '../store/conditions.ts'
import { type SweepRow, sweepFromRow } from './rows.ts'
import type { Sweep, SweepState } from './sweep.ts'

/** Filters of a list of sweeps; times in milliseconds. */
export interface SweepFilter {
  chainId?: string
  tokenId?: string
  state?: SweepState
  from?: Millis
  to?: Millis
}

/** One page of a list. */
export interface SweepPage {
  orgId: string
  filter: SweepFilter
  after: { createdAt: Millis; id: string } | null
  limit: number
}

/** One page of an organization's sweeps, newest first, from just after `after`. */
export async function listSweeps(tx: Tx, page: SweepPage): Promise<Sweep[]> {
  return (await tx.many(pageQuery(page))).map(sweepFromRow)
}

/**
 * The first two sweeps of an address and token that were changed at a time or later, without failed
 * ones. At most one is open at a time, so the second was planned after that time.
 */
export async function selectSince(
  tx: Tx,
  query: Pick<Sweep, 'orgId' | 'chainId' | 'tokenId' | 'address'> & { since: Millis },
): Promise<Sweep[]> {
  const rows = await tx.many(sql<SweepRow>`
    select *
      from sweeps
     where org_id = ${query.orgId}
       and address = ${query.address}
       and token_id = ${query.tokenId}
       and chain_id = ${query.chainId}
       and state <> 'Failed'
       and updated_at >= ${iso(query.since)}
     order by created_at, id
     limit 2`)
  return rows.map(sweepFromRow)
}

/** Statement of a page. */
export function pageQuery({ orgId, filter, after, limit }: SweepPage): RawBuilder<SweepRow> {
  const { chainId, tokenId, state, from, to } = filter
  const parts = joinConditions([
    chainId !== undefined && sql`and chain_id = ${chainId}`,
    tokenId !== undefined && sql`and token_id = ${tokenId}`,
    state !== undefined && sql`and state = ${state}`,
    // The planner needs this condition to use the partial index.
    state !== undefined && state !== 'Done' && sql`and state <> 'Done'`,
    from !== undefined && sql`and created_at >= ${iso(from)}`,
    to !== undefined && sql`and created_at <= ${iso(to)}`,
    after !== null && sql`and (created_at, id) < (${iso(after.createdAt)}, ${after.id})`,
  ])
  return sql<SweepRow>`
    select *
      from sweeps
     where org_id = ${orgId}
       ${parts}
     order by created_at desc, id desc
     limit ${limit}`
}
