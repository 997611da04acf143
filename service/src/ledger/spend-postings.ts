import type { ChainId, TokenId } from '@sluice/wire'
import type { Address } from '../chains/port.ts'
import { CLAIM, type Claim, type Place, type PlaceKind, place } from './account.ts'
import type { Posting } from './posting.ts'

/** Whose money of which token moves, on whose record's behalf, and in which block it does. */
export interface Moved {
  orgId: string
  chainId: ChainId
  tokenId: TokenId
  /** Base units, above zero. */
  amount: bigint
  /** The withdrawal's, spend's, sweep's, top-up's or funding's id. */
  referenceId: string
  /** Null where no block shows it. */
  blockHeight: number | null
}

/** A withdrawal was created: what it pays is nobody else's to spend. */
export function withdrawalHeld(moved: Moved): Posting {
  return booked(moved, CLAIM.available, CLAIM.reserved, 'withdrawal.reserved')
}

/** A withdrawal was cancelled, or failed. */
export function withdrawalReleased(moved: Moved): Posting {
  return booked(moved, CLAIM.reserved, CLAIM.available, 'withdrawal.released')
}

/** What a withdrawal may cost is set aside, where fees come out of what is paid. */
export function feeHeld(moved: Moved): Posting {
  return booked(moved, CLAIM.available, CLAIM.gas, 'withdrawal.fee-held')
}

/** A withdrawal is over: what of it was not paid comes back. */
export function feeReleased(moved: Moved): Posting {
  return booked(moved, CLAIM.gas, CLAIM.available, 'withdrawal.fee-released')
}

/** A block has a withdrawal that paid, out of the settlement account. */
export function withdrawalPaid(moved: Moved, settlement: Address): Posting {
  return booked(moved, CLAIM.reserved, place('settlement', settlement), 'withdrawal.paid')
}

/**
 * A block has a spend of ours, paid or failed: the fee, in the native currency, came out of the
 * sender and is the gas wallet's to bear (engineering, 1 and 2).
 */
export function feePaid(moved: Moved, sender: { kind: PlaceKind; address: Address }): Posting {
  return booked(moved, CLAIM.gas, place(sender.kind, sender.address), 'spend.fee')
}

/** A block has a sweep: money of a deposit address is now at the settlement account. */
export function swept(moved: Moved, { from, to }: { from: Address; to: Address }): Posting {
  return booked(moved, place('settlement', to), place('deposits', from), 'sweep.moved')
}

/**
 * A block has a top-up: native currency left the gas wallet for where fees are to be paid, and is
 * gas all the same.
 */
export function toppedUp(
  moved: Moved,
  { from, to }: { from: Address; to: { kind: PlaceKind; address: Address } },
): Posting {
  return booked(moved, place(to.kind, to.address), place('gas', from), 'gas.topped-up')
}

/** Money from outside was seen at an address of our own. */
export function fundingDetected(moved: Moved, at: { kind: PlaceKind; address: Address }): Posting {
  return booked(moved, place(at.kind, at.address), CLAIM.unconfirmed, 'funding.detected')
}

/** A funding is confirmed: of the settlement account, or of the gas wallet. */
export function fundingConfirmed(moved: Moved, claim: FundedClaim): Posting {
  return booked(moved, CLAIM.unconfirmed, claim, 'funding.confirmed')
}

/** A funding is stopped. */
export function fundingHeld(moved: Moved): Posting {
  return booked(moved, CLAIM.unconfirmed, CLAIM.held, 'funding.held')
}

/** A funding's block left the chain: its money goes from wherever it stands. */
export function fundingOrphaned(
  moved: Moved,
  given: { standing: Claim; at: { kind: PlaceKind; address: Address } },
): Posting {
  const { standing, at } = given
  const posting = booked(moved, standing, place(at.kind, at.address), 'funding.orphaned')
  return { ...posting, reversal: true }
}

/** Whose outside money becomes once it is confirmed. */
export type FundedClaim = typeof CLAIM.available | typeof CLAIM.gas

/** Takes back exactly what a posting did, after its block left the chain. */
export function reversalOf(posting: Posting): Posting {
  return {
    ...posting,
    debit: posting.credit,
    credit: posting.debit,
    reason: `${posting.reason}.undone`,
    reversal: true,
  }
}

function booked(
  moved: Moved,
  debit: Claim | Place,
  credit: Claim | Place,
  reason: string,
): Posting {
  const { orgId, chainId, tokenId, amount, referenceId, blockHeight } = moved
  const whose = { orgId, chainId, tokenId, referenceId, blockHeight }
  return { ...whose, debit, credit, amount, reason, reversal: false }
}
