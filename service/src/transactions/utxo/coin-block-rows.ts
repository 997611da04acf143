import type { BlockRef } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import { type BlocksWanted, selectHighestBlocks } from '../../store/highest-blocks.ts'

/**
 * The highest blocks up to a height that brought or spent coins of ours, or keep lost ones from
 * coming back, highest first.
 */
export async function selectBlocksUpTo(tx: Tx, wanted: BlocksWanted): Promise<BlockRef[]> {
  return selectHighestBlocks(tx, wanted, [
    { table: 'coins', height: 'block_height', hash: 'block_hash' },
    { table: 'coins', height: 'spent_height', hash: 'spent_hash' },
    { table: 'coin_origins', height: 'taken_height', hash: 'taken_hash' },
  ])
}
