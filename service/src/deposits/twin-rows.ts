import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import type { Tx } from '../store/database.ts'
import type { Deposit } from './deposit.ts'
import type { Recorded } from './twin.ts'

/** Deposits by logs at the addresses and in the blocks of some, these among them, not orphaned. */
export async function selectLogsBeside(
  tx: Tx,
  { chainId, logs }: { chainId: ChainId; logs: readonly Pick<Deposit, 'address' | 'block'>[] },
): Promise<Recorded[]> {
  if (logs.length === 0) return []
  return tx.many(sql<Recorded>`
    select id, txn_hash as "txnHash", position, token_id as "tokenId", address,
           net_movement as "netMovement", block_hash as "blockHash", held_cause as "heldCause",
           booked in ('available', 'below_minimum') as "isCredited"
      from deposits
     where chain_id = ${chainId}
       and block_height = any(${logs.map(({ block }) => block.height)}::bigint[])
       and address = any(${logs.map(({ address }) => address)}::text[])
       and position like 'log:%'
       and status <> 'Orphaned'`)
}
