import { assert } from '../base/assert.ts'
import { CLAIM, type Claim, place } from '../ledger/account.ts'
import type { Posting } from '../ledger/posting.ts'
import type { IncomingTransfer } from './deposit.ts'

/** First seen: its address holds the money, which is not available yet. */
export function detectedPosting(transfer: IncomingTransfer): Posting {
  const debit = placeOf(transfer)
  return postingOf(transfer, { debit, credit: CLAIM.unconfirmed, verb: 'detected' })
}

/** Credited; `gas` base units of it as gas, the rest as available. */
export function confirmedPostings(transfer: IncomingTransfer, gas = 0n): Posting[] {
  const debit = claimOf(transfer)
  return [
    { amount: gas, credit: CLAIM.gas },
    { amount: transfer.amount - gas, credit: CLAIM.available },
  ]
    .filter(({ amount }) => amount > 0n)
    .map((part) => postingOf(transfer, { debit, verb: 'confirmed', ...part }))
}

export function setAsidePosting(transfer: IncomingTransfer): Posting {
  return movedPosting(transfer, CLAIM.belowMinimum, 'below-minimum')
}

export function heldPosting(transfer: IncomingTransfer): Posting {
  return movedPosting(transfer, CLAIM.held, 'held')
}

export function releasedPosting(transfer: IncomingTransfer): Posting {
  return movedPosting(transfer, CLAIM.unconfirmed, 'released')
}

/** Its block left the chain: each part goes from the claim that it is booked under. */
export function orphanedPostings(transfer: IncomingTransfer): Posting[] {
  const credit = placeOf(transfer)
  return [
    { amount: transfer.amount - transfer.gasPart, debit: claimOf(transfer) },
    { amount: transfer.gasPart, debit: CLAIM.gas },
  ]
    .filter(({ amount }) => amount > 0n)
    .map((part) => postingOf(transfer, { credit, verb: 'orphaned', ...part }))
    .map((posting) => ({ ...posting, reversal: true }))
}

/** A base account received it for no known tag. */
export function unattributedPosting(transfer: Booking): Posting {
  const sides = { debit: placeOf(transfer), credit: CLAIM.unattributed }
  return postingOf(transfer, { ...sides, verb: 'unattributed' })
}

/** It was unattributed and is a deposit now. */
export function attributedPosting(transfer: IncomingTransfer): Posting {
  const sides = { debit: CLAIM.unattributed, credit: CLAIM.unconfirmed }
  return postingOf(transfer, { ...sides, verb: 'attributed' })
}

/** Fields of a transfer that its postings repeat. */
type Booking = Pick<
  IncomingTransfer,
  'orgId' | 'id' | 'chainId' | 'tokenId' | 'address' | 'place' | 'amount' | 'block'
> & { purpose: IncomingTransfer['purpose'] }

interface Sides {
  debit: Posting['debit']
  credit: Posting['credit']
  verb: string
  amount?: bigint
}

function movedPosting(transfer: IncomingTransfer, credit: Claim, verb: string): Posting {
  return postingOf(transfer, { debit: claimOf(transfer), credit, verb })
}

function placeOf(transfer: Pick<Booking, 'place' | 'address'>): Posting['debit'] {
  return place(transfer.place, transfer.address)
}

function claimOf({ booked, id }: IncomingTransfer): Claim {
  assert(booked !== 'none', 'an orphaned transfer has no money to move', { id })
  return `claim:${booked}`
}

function postingOf(transfer: Booking, { debit, credit, verb, amount }: Sides): Posting {
  const { orgId, chainId, tokenId } = transfer
  return {
    orgId,
    chainId,
    tokenId,
    debit,
    credit,
    amount: amount ?? transfer.amount,
    reason: `${transfer.purpose === 'deposit' ? 'deposit' : 'funding'}.${verb}`,
    reversal: false,
    referenceId: transfer.id,
    blockHeight: transfer.block.height,
  }
}
