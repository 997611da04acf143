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
 * Whether a transaction only moves money that is ours already, so that nothing in it is a deposit
 * (engineering, 8). A withdrawal that pays a deposit address is an ordinary deposit there.
 */
export function isOwnTraffic(own: Pick<OwnTransaction, 'purpose'> | undefined): boolean {
  return own !== undefined && own.purpose !== 'withdrawal'
}

/**
 * `Sent`: signed bytes are stored, and no block of ours has any of its transactions. `Included`: a
 * block of ours has one of them. `Settled`: that block is as deep as a deposit's must be.
 * `Displaced`: it can never be included: a transaction that is not ours used its nonce, and that
 * one is settled, or all of its own have expired.
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
  /** Base units; 0 for a filler, and where only energy is lent or taken back. */
  amount: bigint
  state: SpendState
  /** The most that any of its transactions may cost, in base units of the native currency. */
  maxFee: bigint
  /** The transaction signed last; while a block has one of them, that one. */
  txnHash: string
  /**
   * What the block shows: the payment was made, or the transaction failed. Null while no block has
   * it, and where a block has it and the payment is not to be seen in it.
   */
  succeeded: boolean | null
  /** What it cost, in base units of the native currency; null while no block has it. */
  fee: bigint | null
  /** The block that has it; null while none has. */
  block: BlockRef | null
  settledAt: Millis | null
  createdAt: Millis
  updatedAt: Millis
}

/** A spend that a block of ours has, and of which is known what came of it. */
export interface IncludedSpend extends Spend {
  succeeded: boolean
  fee: bigint
  block: BlockRef
}

/** Whether it is known what came of a spend. */
export function isConcluded(spend: Spend): spend is IncludedSpend {
  return spend.succeeded !== null && spend.fee !== null && spend.block !== null
}
