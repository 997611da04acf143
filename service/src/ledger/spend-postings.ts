import type { ChainId, TokenId } from '@sluice/wire'
import type { Address } from '../chains/port.ts'
import { CLAIM, type Claim, type Place, type PlaceKind, place } from './account.ts'
import type { Posting } from './posting.ts'

/** The fields that postings of spends and fundings have in common. */
export interface Moved {
  orgId: string
  chainId: ChainId
  tokenId: TokenId
  /** Base units, above zero. */
  amount: bigint
  /** The id of the withdrawal, spend, sweep, top-up or funding. */
  referenceId: string
  /** Null if it belongs to no block. */
  blockHeight: number | null
}

/** A withdrawal was created: its amount is reserved. */
export function withdrawalHeld(moved: Moved): Posting {
  return booked(moved, CLAIM.available, CLAIM.reserved, 'withdrawal.reserved')
}

/** A withdrawal was cancelled or failed. */
export function withdrawalReleased(moved: Moved): Posting {
  return booked(moved, CLAIM.reserved, CLAIM.available, 'withdrawal.released')
}

/** The maximum fee is reserved, on chains that pay fees from the same balance. */
export function feeHeld(moved: Moved): Posting {
  return booked(moved, CLAIM.available, CLAIM.gas, 'withdrawal.fee-held')
}

/** A withdrawal ended: the unused part of its reserved fee is released. */
export function feeReleased(moved: Moved): Posting {
  return booked(moved, CLAIM.gas, CLAIM.available, 'withdrawal.fee-released')
}

/** A withdrawal was included and paid from the settlement account. */
export function withdrawalPaid(moved: Moved, settlement: Address): Posting {
  return booked(moved, CLAIM.reserved, place('settlement', settlement), 'withdrawal.paid')
}

/**
 * A spend was included, successful or not: its sender paid the fee in the native currency, which
 * is charged to the gas claim.
 */
export function feePaid(moved: Moved, sender: { kind: PlaceKind; address: Address }): Posting {
  return booked(moved, CLAIM.gas, place(sender.kind, sender.address), 'spend.fee')
}

/** A sweep was included. */
export function swept(moved: Moved, { from, to }: { from: Address; to: Address }): Posting {
  return booked(moved, place('settlement', to), place('deposits', from), 'sweep.moved')
}

/** A top-up was included: native currency moved from the gas wallet and remains gas. */
export function toppedUp(
  moved: Moved,
  { from, to }: { from: Address; to: { kind: PlaceKind; address: Address } },
): Posting {
  return booked(moved, place(to.kind, to.address), place('gas', from), 'gas.topped-up')
}

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
