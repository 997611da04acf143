import { sql } from 'kysely'
import type { BlockRef } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import { type BlocksWanted, selectHighestBlocks } from '../../store/highest-blocks.ts'

/** The highest blocks up to a height that have transactions or coins of ours, highest first. */
export async function selectBlocksUpTo(tx: Tx, wanted: BlocksWanted): Promise<BlockRef[]> {
  const [height, hash] = ['block_height', 'block_hash']
  const counts = sql`state in ('Included', 'Settled')`
  return selectHighestBlocks(tx, wanted, [
    { table: 'spends', height, hash, counts },
    { table: 'foreign_transactions', height, hash },
    { table: 'coins', height, hash },
    { table: 'coins', height: 'spent_height', hash: 'spent_hash' },
    { table: 'coin_origins', height: 'taken_height', hash: 'taken_hash' },
  ])
}
