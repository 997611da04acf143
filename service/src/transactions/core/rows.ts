import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import { iso } from '../../base/clock.ts'
import type { Tx } from '../../store/database.ts'
import type { OwnTransaction, Purpose } from './spend.ts'

interface OwnRow {
  chain_id: ChainId
  txn_hash: string
  org_id: string
  purpose: Purpose
}

/** Those of the hashes that stand here. */
export async function selectOwn(
  tx: Tx,
  chainId: ChainId,
  hashes: readonly string[],
): Promise<OwnTransaction[]> {
  const rows = await tx.many(sql<OwnRow>`
    select chain_id, txn_hash, org_id, purpose
      from own_transactions
     where chain_id = ${chainId}
       and txn_hash = any(${hashes}::text[])`)
  return rows.map((row) => ({
    chainId: row.chain_id,
    txnHash: row.txn_hash,
    orgId: row.org_id,
    purpose: row.purpose,
  }))
}

/** Inserts one; false where its hash stood already. */
export async function insertOwn(tx: Tx, own: OwnTransaction): Promise<boolean> {
  const inserted = await tx.maybe(sql<{ txn_hash: string }>`
    insert into own_transactions (chain_id, txn_hash, org_id, purpose, created_at)
    values (${own.chainId}, ${own.txnHash}, ${own.orgId}, ${own.purpose},
            ${iso(tx.clock.now())}::timestamptz)
        on conflict (chain_id, txn_hash) do nothing
    returning txn_hash`)
  return inserted !== null
}
