import type { ChainId } from '@sluice/wire'

/** Why we signed a transaction. */
export type Purpose = 'withdrawal' | 'sweep' | 'top-up' | 'filler' | 'consolidation'

/** A transaction signed by us, known by its hash before it is broadcast. */
export interface OwnTransaction {
  chainId: ChainId
  txnHash: string
  orgId: string
  purpose: Purpose
}

/**
 * Whether a transaction only moves money that is ours already, so that nothing in it is a deposit
 * (engineering, 8). A withdrawal that pays a deposit address is an ordinary deposit there.
 */
export function isOwnTraffic(own: Pick<OwnTransaction, 'purpose'> | undefined): boolean {
  return own !== undefined && own.purpose !== 'withdrawal'
}
