import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import type { BlockRef } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'

/**
 * The highest blocks up to a height that have spends of ours or what somebody else sent from our
 * senders, highest first.
 */
export async function selectBlocksUpTo(
  tx: Tx,
  { chainId, upTo, limit }: { chainId: ChainId; upTo: number; limit: number },
): Promise<BlockRef[]> {
  return tx.many(sql<BlockRef>`
    (select distinct block_height as height, block_hash as hash
       from spends
      where chain_id = ${chainId}
        and block_height <= ${upTo}
        and state in ('Included', 'Settled')
      order by height desc, hash
      limit ${limit})
      union
    (select distinct block_height as height, block_hash as hash
       from foreign_transactions
      where chain_id = ${chainId}
        and block_height <= ${upTo}
      order by height desc, hash
      limit ${limit})
     order by height desc, hash
     limit ${limit}`)
}
