import type { BitcoinTransaction } from './transaction.ts'

/** A transaction that waits for a block. */
export interface Waiting {
  txid: string
  transaction: BitcoinTransaction
  fee: bigint
  vsize: number
}
