import type { Block, TransactionOutcome } from '../../chains/port.ts'
import type { Sender } from './sender.ts'
import type { Spend } from './spend.ts'

/** A transaction of a sender of ours, and the block that has it. */
export interface Sighting {
  block: Block
  /** Its rank among ours in the block. */
  rank: number
  outcome: TransactionOutcome
  sender: Sender
  /** The spend that it was signed for; null where we did not sign it, or do not remember. */
  spend: Spend | null
}
