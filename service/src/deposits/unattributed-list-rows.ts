import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import { joinConditions } from '../store/conditions.ts'
import type { Unattributed, UnattributedState } from './unattributed.ts'
import { type UnattributedRow, columns, fromRow } from './unattributed-rows.ts'

/** Filters of a list of unattributed transfers; times in milliseconds. */
export interface UnattributedFilter {
  chainId?: string
  state?: UnattributedState
  from?: Millis
  to?: Millis
}

/** One page of an organization's unattributed transfers, in any state, newest first. */
export async function pageUnattributed(
  tx: Tx,
  page: {
    orgId: string
    filter: UnattributedFilter
    after: { createdAt: Millis; id: string } | null
    limit: number
  },
): Promise<Unattributed[]> {
  const { orgId, filter, after, limit } = page
  const { chainId, state, from, to } = filter
  const parts = joinConditions([
    chainId !== undefined && sql`and chain_id = ${chainId}`,
    state !== undefined && sql`and state = ${state}`,
    from !== undefined && sql`and created_at >= ${iso(from)}`,
    to !== undefined && sql`and created_at <= ${iso(to)}`,
    after !== null && sql`and (created_at, id) < (${iso(after.createdAt)}, ${after.id})`,
  ])
  const rows = await tx.many(sql<UnattributedRow>`
    select ${columns}
      from unattributed_deposits
     where org_id = ${orgId}
       ${parts}
     order by created_at desc, id desc
     limit ${limit}`)
  return rows.map(fromRow)
}
