import type { ChainId, DepositStatus, TokenId } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import type { Millis } from '../base/clock.ts'
import type { Address, BlockRef } from '../chains/port.ts'

/** The claim of the ledger under which a deposit's money stands; `none` while it is orphaned. */
export type Booked = 'unconfirmed' | 'available' | 'below_minimum' | 'held' | 'none'

/**
 * A transfer to an account of ours, from the block it was first seen in to the credit (decisions, 1
 * and 2).
 */
export interface Deposit {
  orgId: string
  id: string
  /** Where the money arrived; `accountChainId` is where the account was issued. */
  chainId: ChainId
  txnHash: string
  position: string
  accountId: string
  tokenId: TokenId
  accountChainId: ChainId
  externalUserId: string
  address: Address
  /** As people read it; "" where the chain names no sender. */
  senderAddress: string
  /** Base units. */
  amount: bigint
  /**
   * What the block's transfers of this token moved into the address, less what they moved out of
   * it.
   */
  netMovement: bigint
  status: DepositStatus
  booked: Booked
  heldCause: string
  cleared: boolean
  block: BlockRef
  /** The height from which on the coins can be spent, and credited; null: at once. */
  maturesAt: number | null
  confirmedAt: Millis | null
  confirmedHeight: number | null
  createdAt: Millis
  updatedAt: Millis
}

/**
 * The states of a deposit and the moves between them; every move is a guarded update of this
 * table's making. `Orphaned` has a way back: the same transfer in another block is the same record.
 */
export const MOVES = {
  confirm: { from: ['Detected', 'BelowMinimum'], to: 'Confirmed', booked: 'available' },
  setAside: { from: ['Detected'], to: 'BelowMinimum', booked: 'below_minimum' },
  hold: { from: ['Detected', 'BelowMinimum'], to: 'Held', booked: 'held' },
  release: { from: ['Held'], to: 'Detected', booked: 'unconfirmed' },
  orphan: {
    from: ['Detected', 'Confirmed', 'BelowMinimum', 'Held'],
    to: 'Orphaned',
    booked: 'none',
  },
  revive: { from: ['Orphaned'], to: 'Detected', booked: 'unconfirmed' },
} as const satisfies Record<string, Move>

export interface Move {
  from: readonly DepositStatus[]
  to: DepositStatus
  booked: Booked
}

/** The number inside a position: `log:5` is 5, `out:3` is 3, `tx` is 0. */
export function positionIndex(position: string): number {
  const digits = /^(?:(?:log|out|call):(\d+)|tx)$/.exec(position)
  assert(digits, 'a position of no known form', { position })
  return digits[1] === undefined ? 0 : Number(digits[1])
}

/**
 * Blocks on top of the deposit's own; 0 in its block, and never below (a node's head may go back).
 */
export function confirmationsAt(deposit: { block: BlockRef }, tipHeight: number): number {
  return Math.max(0, tipHeight - deposit.block.height)
}

/** How many it needs: those of its chain, or more where its coins are a miner's new ones. */
export function confirmationsNeeded(
  { block, maturesAt }: Pick<Deposit, 'block' | 'maturesAt'>,
  required: number,
): number {
  return maturesAt === null ? required : Math.max(required, maturesAt - block.height)
}
