import type { ChainId, WithdrawalStatus } from '@sluice/wire'
import { type RawBuilder, sql } from 'kysely'
import type { Millis } from '../base/clock.ts'
import { selectChainsWhere } from '../catalogue/rows.ts'
import type { Tx } from '../store/database.ts'

/** Open withdrawals of one chain and status. */
export interface OpenWithdrawals {
  chainId: ChainId
  status: WithdrawalStatus
  count: number
  /**
   * When the longest wait began: for approvals when the withdrawal was created, for the payment
   * when it was approved.
   */
  since: Millis
}

/** Statuses that are not final. */
const OPEN = ['PendingApproval', 'Pending', 'Processing'] satisfies WithdrawalStatus[]

/**
 * Counts the open withdrawals of these organizations, by chain and status. Only open rows are read,
 * by the partial index without `Completed`, so the cost does not grow with the history. The row of
 * a payment changes with each replacement, so its approvals give the time.
 */
export function openQuery(orgIds: readonly string[]): RawBuilder<OpenWithdrawals> {
  return sql<OpenWithdrawals>`
    select found.chain_id as "chainId", open.status, sum(found.count)::int as count,
           min(found.since) as since
      from unnest(${orgIds}::uuid[]) as org (id)
     cross join unnest(${OPEN}::text[]) as open (status)
     cross join lateral (
           select w.chain_id, count(*) as count,
                  min(case w.status
                        when 'PendingApproval' then w.created_at
                        when 'Pending' then w.updated_at
                        else coalesce(
                             (select max(a.created_at)
                                from withdrawal_approvals a
                               where a.org_id = w.org_id
                                 and a.withdrawal_id = w.id
                                 and a.voided_at is null), w.created_at) end) as since
             from withdrawals w
            where w.org_id = org.id
              and w.status = open.status
              and w.status <> 'Completed'
            group by w.chain_id) as found
     group by found.chain_id, open.status
     order by found.chain_id, open.status`
}

/** Counts the open withdrawals of these organizations by chain and status. */
export function countOpen(tx: Tx, orgIds: readonly string[]): Promise<OpenWithdrawals[]> {
  return tx.many(openQuery(orgIds))
}

/** The chains among these that have approved withdrawals to pay. */
export function selectPayable(tx: Tx, chainIds: readonly ChainId[]): Promise<ChainId[]> {
  const isOpen = sql`
    exists (
      select
        from withdrawals w
       where w.chain_id = chain.id
         and w.status = 'Pending')`
  return selectChainsWhere(tx, chainIds, isOpen)
}

/** The ids of the withdrawals of an organization on these chains that have not ended. */
export async function selectOpenIds(
  tx: Tx,
  { orgId, chainIds }: { orgId: string; chainIds: readonly ChainId[] },
): Promise<string[]> {
  const rows = await tx.many(sql<{ id: string }>`
    select id
      from withdrawals
     where org_id = ${orgId}
       and status = any(${OPEN}::text[])
       and status <> 'Completed'
       and chain_id = any(${chainIds}::text[])`)
  return rows.map(({ id }) => id)
}
