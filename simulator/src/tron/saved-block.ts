import type { TronBlock } from './block.ts'
import { hexIn, transactionBytes } from './transaction.ts'

/** A block as it is kept from one start to the next: the rest of it follows. */
export interface SavedBlock {
  time: number
  fork: number
  /** Signed bytes in hex. */
  transactions: readonly string[]
  /** As in the block; absent if no balance was set by hand. */
  endowed?: TronBlock['endowed']
}

/** Data from which a block can be made again. */
export function saveBlock({ time, fork, executed, endowed }: TronBlock): SavedBlock {
  const transactions = executed.map(({ transaction: { raw, signatures } }) =>
    hexIn(transactionBytes(raw, signatures)),
  )
  return { time, fork, transactions, ...(endowed !== undefined && { endowed }) }
}
