import type { DepositStatus } from '@sluice/wire'
import { type RawBuilder, sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import type { Deposit } from './deposit.ts'
import { type DepositRow, fromRow } from './rows.ts'

/** What a list of deposits may be narrowed to (decisions, section 9); times are milliseconds. */
export interface DepositFilter {
  externalUserId?: string
  chainId?: string
  tokenId?: string
  status?: DepositStatus
  txnHash?: string
  from?: Millis
  to?: Millis
}

/** A place in the order of a list: creation, then id. */
export interface Keyset {
  createdAt: Millis
  id: string
}

/** One page, newest first, from just after `after`. */
export async function selectPage(
  tx: Tx,
  given: { orgId: string; filter: DepositFilter; after: Keyset | null; limit: number },
): Promise<Deposit[]> {
  const rows = await tx.many(sql<DepositRow>`
    select *
      from deposits
     where org_id = ${given.orgId}
       ${conditions(given.filter)}
       ${beyond(given.after)}
     order by created_at desc, id desc
     limit ${given.limit}`)
  return rows.map(fromRow)
}

function conditions(filter: DepositFilter): RawBuilder<unknown> {
  const parts = [
    filter.externalUserId !== undefined && sql`and external_user_id = ${filter.externalUserId}`,
    filter.chainId !== undefined && sql`and chain_id = ${filter.chainId}`,
    filter.tokenId !== undefined && sql`and token_id = ${filter.tokenId}`,
    filter.status !== undefined && sql`and status = ${filter.status}`,
    filter.txnHash !== undefined && sql`and txn_hash = ${filter.txnHash}`,
    filter.from !== undefined && sql`and created_at >= ${iso(filter.from)}`,
    filter.to !== undefined && sql`and created_at <= ${iso(filter.to)}`,
  ]
  return sql.join(
    parts.filter((part) => part !== false),
    sql` `,
  )
}

function beyond(after: Keyset | null): RawBuilder<unknown> {
  if (after === null) return sql``
  return sql`and (created_at, id) < (${iso(after.createdAt)}, ${after.id})`
}
