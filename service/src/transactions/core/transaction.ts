import type { ChainId } from '@sluice/wire'
import type { Millis } from '../../base/clock.ts'
import type { Terms } from '../../chains/spending.ts'

/** Signed bytes of a spend. They remain candidates for inclusion forever. */
export interface SpendTransaction {
  chainId: ChainId
  txnHash: string
  orgId: string
  spendId: string
  /** 1 for the first, then one more for each replacement. */
  number: number
  raw: Uint8Array
  /** The most that it may cost, in base units of the native currency. */
  maxFee: bigint
  terms: Terms
  /** Our tip when it was signed. */
  signedHeight: number
  signedAt: Millis
  /** Time of the last broadcast; null before the first. */
  broadcastAt: Millis | null
  /** Our tip then. */
  broadcastHeight: number | null
  broadcasts: number
  /**
   * Answer of the nodes to it. A fee rate named in it makes a replacement due at once, within the
   * caps.
   */
  lastAnswer: string
}
