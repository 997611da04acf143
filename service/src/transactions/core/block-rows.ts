import { sql } from 'kysely'
import type { BlockRef } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import { type BlocksWanted, selectHighestBlocks } from '../../store/highest-blocks.ts'

/**
 * The highest blocks up to a height that have spends of ours or what somebody else sent from our
 * senders, highest first.
 */
export async function selectBlocksUpTo(tx: Tx, wanted: BlocksWanted): Promise<BlockRef[]> {
  const [height, hash] = ['block_height', 'block_hash']
  const counts = sql`state in ('Included', 'Settled')`
  return selectHighestBlocks(tx, wanted, [
    { table: 'spends', height, hash, counts },
    { table: 'foreign_transactions', height, hash },
  ])
}
