import type { ChainId, WithdrawalStatus } from '@sluice/wire'
import { type RawBuilder, sql } from 'kysely'
import type { Millis } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'

/** Withdrawals of one chain and status that are not over. */
export interface OpenWithdrawals {
  chainId: ChainId
  status: WithdrawalStatus
  count: number
  /**
   * Since when the one waits that has waited longest: for its approvals since it was asked for,
   * for its payment since it was approved.
   */
  since: Millis
}

/** Statuses that are left again. */
const OPEN = ['PendingApproval', 'Pending', 'Processing'] satisfies WithdrawalStatus[]

/**
 * How many withdrawals of these organizations are not over, by chain and status. Of each
 * organization and status only those rows are read, by the index that leaves `Completed` out:
 * however many there were before, what is open costs what is open. A payment's row changes with
 * each dearer transaction; its approvals stay as they are.
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
