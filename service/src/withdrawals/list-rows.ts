import type { WithdrawalStatus } from '@sluice/wire'
import { type RawBuilder, sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import { approversColumn, fromRow, type WithdrawalRow } from './rows.ts'
import type { Withdrawal } from './withdrawal.ts'

/** What a list of withdrawals may be narrowed to (decisions, section 9); times are milliseconds. */
export interface WithdrawalFilter {
  status?: WithdrawalStatus
  chainId?: string
  reference?: string
  externalUserId?: string
  /** Who asked for it, by the user's id. */
  initiator?: string
  from?: Millis
  to?: Millis
}

/** A place in the order of a list: creation, then id. */
export interface Keyset {
  createdAt: Millis
  id: string
}

/** Which part of a list is asked for. */
export interface PageAsked {
  orgId: string
  filter: WithdrawalFilter
  after: Keyset | null
  limit: number
}

/** One page, newest first, from just after `after`. */
export async function selectPage(tx: Tx, asked: PageAsked): Promise<Withdrawal[]> {
  return (await tx.many(pageQuery(asked))).map(fromRow)
}

/**
 * The statement behind a page; with whatever one filter it reads no more rows than those, but for
 * `initiator`, which has no index and is for operators.
 */
export function pageQuery({ orgId, filter, after, limit }: PageAsked): RawBuilder<WithdrawalRow> {
  return sql<WithdrawalRow>`
    select w.*, ${approversColumn}
      from withdrawals w
     where w.org_id = ${orgId}
       ${conditions(filter)}
       ${beyond(after)}
     order by w.created_at desc, w.id desc
     limit ${limit}`
}

function conditions(filter: WithdrawalFilter): RawBuilder<unknown> {
  const parts = [
    filter.status !== undefined && sql`and w.status = ${filter.status}`,
    // What the planner must see to use the index of these.
    filter.status !== undefined &&
      filter.status !== 'Completed' &&
      sql`and w.status <> 'Completed'`,
    filter.chainId !== undefined && sql`and w.chain_id = ${filter.chainId}`,
    filter.reference !== undefined && sql`and w.reference = ${filter.reference}`,
    filter.externalUserId !== undefined && sql`and w.external_user_id = ${filter.externalUserId}`,
    filter.initiator !== undefined && sql`and w.initiator = ${filter.initiator}`,
    filter.from !== undefined && sql`and w.created_at >= ${iso(filter.from)}`,
    filter.to !== undefined && sql`and w.created_at <= ${iso(filter.to)}`,
  ]
  return sql.join(
    parts.filter((part) => part !== false),
    sql` `,
  )
}

function beyond(after: Keyset | null): RawBuilder<unknown> {
  if (after === null) return sql``
  return sql`and (w.created_at, w.id) < (${iso(after.createdAt)}, ${after.id})`
}
