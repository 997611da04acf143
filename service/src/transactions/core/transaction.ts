import type { ChainId } from '@sluice/wire'
import type { Millis } from '../../base/clock.ts'
import type { Terms } from '../../chains/spending.ts'

/** Bytes that were signed for a spend. Whatever was signed once stays a candidate for ever. */
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
  /** When it was handed to nodes last; null where it never was. */
  broadcastAt: Millis | null
  /** Our tip then. */
  broadcastHeight: number | null
  broadcasts: number
  /** What the nodes said then; a price named in it speeds up a replacement within the caps. */
  lastAnswer: string
}
