import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import type { BlockRef } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'

/**
 * The highest blocks up to a height that brought or spent coins of ours, or keep lost ones from
 * coming back, highest first.
 */
export async function selectBlocksUpTo(
  tx: Tx,
  { chainId, upTo, limit }: { chainId: ChainId; upTo: number; limit: number },
): Promise<BlockRef[]> {
  return tx.many(sql<BlockRef>`
    (select distinct block_height as height, block_hash as hash
       from coins
      where chain_id = ${chainId}
        and block_height <= ${upTo}
      order by height desc, hash
      limit ${limit})
      union
    (select distinct spent_height as height, spent_hash as hash
       from coins
      where chain_id = ${chainId}
        and spent_height <= ${upTo}
      order by height desc, hash
      limit ${limit})
      union
    (select distinct taken_height as height, taken_hash as hash
       from coin_origins
      where chain_id = ${chainId}
        and taken_height <= ${upTo}
      order by height desc, hash
      limit ${limit})
     order by height desc, hash
     limit ${limit}`)
}
