import type { ChainId, TokenId } from '@sluice/wire'
import type { HousePurpose } from '../accounts/own-address.ts'
import type { Millis } from '../base/clock.ts'
import type { Address, BlockRef } from '../chains/port.ts'
import type { Claim, PlaceKind } from '../ledger/account.ts'

export type FundingStatus = 'Detected' | 'Confirmed' | 'Held' | 'Orphaned'

/** The claim of the ledger under which a funding's money stands; `none` while it is orphaned. */
export type FundingBooked = 'unconfirmed' | 'available' | 'gas' | 'held' | 'none'

/**
 * Money from outside that reached a settlement or gas address of ours (engineering, 8): known by
 * the same identity as a deposit (decisions, 1).
 */
export interface Funding {
  orgId: string
  id: string
  chainId: ChainId
  txnHash: string
  position: string
  tokenId: TokenId
  address: Address
  /** What the address is for, on the chain it was issued on. */
  purpose: HousePurpose
  /** As what the ledger holds the money: see `placeOf`. */
  place: PlaceKind
  /** As people read it; "" where the chain names no sender. */
  senderAddress: string
  /** Base units. */
  amount: bigint
  /** What the block's transfers of the token moved into the address, less what they moved out. */
  netMovement: bigint
  status: FundingStatus
  booked: FundingBooked
  /** Base units of it that stand as gas where the rest is available; 0 elsewhere. */
  setApart: bigint
  heldCause: string
  cleared: boolean
  block: BlockRef
  /** The height from which on the coins can be spent, and credited; null: at once. */
  maturesAt: number | null
  confirmedAt: Millis | null
  createdAt: Millis
  updatedAt: Millis
}

/** The states of a funding and the moves between them, as those of a deposit. */
export const MOVES = {
  confirm: { from: ['Detected'], to: 'Confirmed' },
  hold: { from: ['Detected'], to: 'Held' },
  release: { from: ['Held'], to: 'Detected' },
  orphan: { from: ['Detected', 'Confirmed', 'Held'], to: 'Orphaned' },
  revive: { from: ['Orphaned'], to: 'Detected' },
} as const satisfies Record<string, FundingMove>

export interface FundingMove {
  from: readonly FundingStatus[]
  to: FundingStatus
}

/**
 * As what the ledger holds money that reached an own address. A settlement or gas address is one on
 * its own chain alone, and only the chain's own coin pays fees: everything else waits there to be
 * fetched, as at a deposit address.
 */
export function placeOf(given: {
  purpose: HousePurpose
  isOwnChain: boolean
  isNative: boolean
}): PlaceKind {
  if (!given.isOwnChain) return 'deposits'
  if (given.purpose === 'settlement') return 'settlement'
  return given.isNative ? 'gas' : 'deposits'
}

/**
 * Whose a funding's money becomes: in the gas wallet it pays fees, the rest is available. Of what
 * an organization itself brings to an account that its users share, so much is gas as the account
 * must keep and does not yet (`short`): the chain holds it as a reserve, and fees are paid of it.
 */
export function splitOf(
  { place, amount }: Pick<Funding, 'place' | 'amount'>,
  short: bigint | null = 0n,
): { gas: bigint; available: bigint } {
  const gas = place === 'gas' || short === null || short > amount ? amount : short
  return { gas, available: amount - gas }
}

/** The claim under which its money stands, but for what is set apart; null while it is orphaned. */
export function standingClaim({ booked }: Pick<Funding, 'booked'>): Claim | null {
  return booked === 'none' ? null : `claim:${booked}`
}
