import type { ChainId } from '@sluice/wire'
import type { BlockRef } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import { selectHash } from './rows.ts'

/** Whether a block is one of ours; false also for one so old that it is no longer kept. */
export async function isOurBlock(
  tx: Tx,
  { chainId, block }: { chainId: ChainId; block: BlockRef },
): Promise<boolean> {
  return (await selectHash(tx, { chainId, height: block.height })) === block.hash
}
