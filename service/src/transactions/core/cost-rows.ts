import { sql } from 'kysely'
import type { Tx } from '../../store/database.ts'

/** The transaction of a spend, and its fee in base units of the native currency. */
export interface SpendCost {
  txnHash: string
  /** Null until it is included. */
  fee: bigint | null
  maxFee: bigint
}

/** The costs of an organization's spends, by their ids. */
export async function selectCosts(
  tx: Tx,
  { orgId, ids }: { orgId: string; ids: readonly string[] },
): Promise<Map<string, SpendCost>> {
  const rows = await tx.many(sql<SpendCost & { id: string }>`
    select id, txn_hash as "txnHash", fee, max_fee as "maxFee"
      from spends
     where org_id = ${orgId}
       and id = any(${ids}::uuid[])`)
  return new Map(rows.map(({ id, ...cost }) => [id, cost]))
}
