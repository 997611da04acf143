import type { ChainId, DepositStatus, TokenId } from '@sluice/wire'
import type { PlatformPurpose } from '../accounts/own-address.ts'
import { assert } from '../base/assert.ts'
import type { Millis } from '../base/clock.ts'
import type { Address, BlockRef } from '../chains/port.ts'
import type { PlaceKind } from '../ledger/account.ts'

/** The ledger claim under which the money of a transfer is booked; `none` while it is orphaned. */
export type Booked = 'unconfirmed' | 'available' | 'gas' | 'below_minimum' | 'held' | 'none'

/** Fields of every transfer from outside to an address of ours. */
interface Incoming {
  orgId: string
  id: string
  /** Chain of the transfer; an account is watched on other chains than its own too. */
  chainId: ChainId
  txnHash: string
  position: string
  tokenId: TokenId
  address: Address
  /** Kind of ledger place that holds the money. */
  place: PlaceKind
  /** Formatted for display; "" if the chain names no sender. */
  senderAddress: string
  /** Base units. */
  amount: bigint
  /** Base units of this token that the block moved into the address, less those it moved out. */
  netMovement: bigint
  status: DepositStatus
  booked: Booked
  /** Base units that a base account keeps as gas while the rest is available; otherwise 0. */
  gasPart: bigint
  heldCause: string
  /** Released by an operator or the audit: its token's balance is not checked again. */
  cleared: boolean
  block: BlockRef
  /** First height at which the coins can be spent and credited; null: at once. */
  maturesAt: number | null
  confirmedAt: Millis | null
  confirmedHeight: number | null
  createdAt: Millis
  updatedAt: Millis
}

/** A transfer to an account of an end user (decisions, 1 and 2). */
export interface Deposit extends Incoming {
  purpose: 'deposit'
  accountId: string
  /** Chain on which the account was issued. */
  accountChainId: ChainId
  externalUserId: string
}

/** A transfer to a settlement address or gas wallet (engineering, 8). */
export interface Funding extends Incoming {
  purpose: PlatformPurpose
}

/** A transfer from outside, from its first block to its credit; identified as decisions, 1 says. */
export type IncomingTransfer = Deposit | Funding

/**
 * States of a transfer and the legal moves between them. A transfer that returns in another block
 * is revived. Only deposits can be `BelowMinimum`.
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

export function isDeposit(transfer: IncomingTransfer): transfer is Deposit {
  return transfer.purpose === 'deposit'
}

export function isFunding(transfer: IncomingTransfer): transfer is Funding {
  return transfer.purpose !== 'deposit'
}

/**
 * Kind of place that holds a funding. A settlement address or gas wallet is one only on its own
 * chain, and only the native token pays fees: all else is swept from it like a deposit.
 */
export function placeOf(funding: {
  purpose: PlatformPurpose
  isOwnChain: boolean
  isNative: boolean
}): PlaceKind {
  if (!funding.isOwnChain) return 'deposits'
  if (funding.purpose === 'settlement') return 'settlement'
  return funding.isNative ? 'gas' : 'deposits'
}

/**
 * Base units of a funding that become gas; the rest becomes available. A gas wallet takes all; a
 * base account takes what its reserve still lacks (`short`), or all if that is unknown (null).
 */
export function gasOf(
  { place, amount }: Pick<Funding, 'place' | 'amount'>,
  short: bigint | null = 0n,
): bigint {
  return place === 'gas' || short === null || short > amount ? amount : short
}

/** Number in a position: `log:5` is 5, `out:3` is 3, `tx` is 0. */
export function positionIndex(position: string): number {
  const digits = /^(?:(?:log|out|call):(\d+)|tx)$/.exec(position)
  assert(digits, 'unknown form of position', { position })
  return digits[1] === undefined ? 0 : Number(digits[1])
}

/** Blocks on top of the deposit's own, at least 0: the head of a node can go back. */
export function confirmationsAt(deposit: { block: BlockRef }, tipHeight: number): number {
  return Math.max(0, tipHeight - deposit.block.height)
}

/** Confirmations it needs: those of its chain, or more for the new coins of a miner. */
export function confirmationsNeeded(
  { block, maturesAt }: Pick<IncomingTransfer, 'block' | 'maturesAt'>,
  required: number,
): number {
  return maturesAt === null ? required : Math.max(required, maturesAt - block.height)
}
