import type { ChainId, TokenId } from '@sluice/wire'
import type { Millis } from '../../base/clock.ts'
import type { Address, BlockRef } from '../../chains/port.ts'

/** Why we signed a transaction. */
export type Purpose =
  | 'withdrawal'
  | 'sweep'
  | 'top-up'
  | 'filler'
  | 'consolidation'
  | 'delegation'
  | 'undelegation'

/** A transaction signed by us, known by its hash before it is broadcast. */
export interface OwnTransaction {
  chainId: ChainId
  txnHash: string
  orgId: string
  purpose: Purpose
}

/**
 * Whether a transaction only moves our own money, so that it contains no deposit (engineering, 8).
 * A withdrawal to a deposit address is an ordinary deposit.
 */
export function isOwnTraffic(own: Pick<OwnTransaction, 'purpose'> | undefined): boolean {
  return own !== undefined && own.purpose !== 'withdrawal'
}

/**
 * `Sent`: signed bytes are stored, and no block of ours includes any of its transactions.
 * `Included`: a block of ours includes one of them. `Settled`: that block has the confirmations of
 * a deposit. `Displaced`: it can never be included, because a settled foreign transaction used its
 * nonce or inputs, or all its transactions have expired.
 */
export type SpendState = 'Sent' | 'Included' | 'Settled' | 'Displaced'

/**
 * The states of a spend and the moves between them; every move is a guarded update of this table's
 * making. `undo` is what a reorg does.
 */
export const SENDS = {
  include: { from: ['Sent'], to: 'Included' },
  settle: { from: ['Included'], to: 'Settled' },
  displace: { from: ['Sent'], to: 'Displaced' },
  undo: { from: ['Included', 'Settled'], to: 'Sent' },
} as const satisfies Record<string, { from: readonly SpendState[]; to: SpendState }>

/**
 * One reservation (a nonce) of a sender, and what it is for. However many transactions are signed
 * under it, at most one of them is ever included.
 */
export interface Spend {
  orgId: string
  id: string
  chainId: ChainId
  purpose: Purpose
  /** The withdrawal, sweep or top-up that asked; a filler's own id. */
  subjectId: string
  sender: Address
  /** Its number; with `ticket` that of a ticket. */
  nonce: number
  /** Whether the number is a ticket's, which may come in any order. */
  ticket: boolean
  /** How many tickets it makes: the numbers after its own. */
  tickets: number
  tokenId: TokenId
  recipient: Address
  /** Base units; 0 for a filler and for lending or taking back energy. */
  amount: bigint
  state: SpendState
  /** The most that any of its transactions may cost, in base units of the native currency. */
  maxFee: bigint
  /** The transaction signed last; while a block has one of them, that one. */
  txnHash: string
  /**
   * Whether the payment was made, as the block shows. Null until inclusion, and if the block does
   * not show the payment.
   */
  succeeded: boolean | null
  /** Fee paid, in base units of the native currency; null until inclusion. */
  fee: bigint | null
  /** The block that includes it; null until inclusion. */
  block: BlockRef | null
  settledAt: Millis | null
  createdAt: Millis
  updatedAt: Millis
}

/** An included spend with a known outcome. */
export interface IncludedSpend extends Spend {
  succeeded: boolean
  fee: bigint
  block: BlockRef
}

/** Whether the outcome of a spend is known. */
export function isConcluded(spend: Spend): spend is IncludedSpend {
  return spend.succeeded !== null && spend.fee !== null && spend.block !== null
}
