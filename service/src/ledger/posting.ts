import type { ChainId, TokenId } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import { depositPlace } from '../catalogue/chains.ts'
import type { Address } from '../chains/port.ts'
import {
  type BalanceKey,
  CLAIM,
  type Claim,
  type LedgerAccount,
  type Place,
  isPlace,
  place,
} from './account.ts'

/** One debit and one credit of the same amount: zero-sum by construction (engineering, 1). */
export interface Posting {
  orgId: string
  chainId: ChainId
  tokenId: TokenId
  debit: LedgerAccount
  credit: LedgerAccount
  /** Base units, above zero. */
  amount: bigint
  reason: string
  /** Takes back what a reorg undid; nothing else may push `available` below zero. */
  reversal: boolean
  /** The record on whose behalf this is booked, such as a deposit's id. */
  referenceId: string
  /** Of the block that shows it; null where no block does. */
  blockHeight: number | null
}

/**
 * What the ledger must know of a deposit; `booked` names the claim under which its money stands.
 */
export interface BookedDeposit {
  orgId: string
  id: string
  chainId: ChainId
  tokenId: TokenId
  address: Address
  amount: bigint
  booked: 'unconfirmed' | 'available' | 'below_minimum' | 'held' | 'none'
  block: { height: number }
}

/** A deposit was seen: the address holds it, and nobody may use it yet. */
export function detected(deposit: BookedDeposit): Posting {
  const debit = placeOf(deposit)
  return forDeposit(deposit, { debit, credit: CLAIM.unconfirmed, reason: 'deposit.detected' })
}

/** Something arrived and names nobody whom we know: the address holds it, and nobody has it. */
export function parked(arrival: Omit<BookedDeposit, 'booked'>): Posting {
  const sides = { debit: placeOf(arrival), credit: CLAIM.unattributed }
  return forDeposit(arrival, { ...sides, reason: 'deposit.unattributed' })
}

/** What was nobody's has become a deposit, which waits for its credit as any other. */
export function attributed(deposit: BookedDeposit): Posting {
  const sides = { debit: CLAIM.unattributed, credit: CLAIM.unconfirmed }
  return forDeposit(deposit, { ...sides, reason: 'deposit.attributed' })
}

/** A deposit is credited, wherever it stood until now. */
export function confirmed(deposit: BookedDeposit): Posting {
  return moved(deposit, { to: CLAIM.available, reason: 'deposit.confirmed' })
}

/** A deposit is too small to be credited by itself. */
export function setAside(deposit: BookedDeposit): Posting {
  return moved(deposit, { to: CLAIM.belowMinimum, reason: 'deposit.below-minimum' })
}

/** A deposit is stopped. */
export function held(deposit: BookedDeposit): Posting {
  return moved(deposit, { to: CLAIM.held, reason: 'deposit.held' })
}

/** A deposit that was stopped, or set aside, goes on: it waits for its credit again. */
export function released(deposit: BookedDeposit): Posting {
  return moved(deposit, { to: CLAIM.unconfirmed, reason: 'deposit.released' })
}

/**
 * A deposit's block left the chain: its money goes from wherever it stands, and the address holds
 * it no more.
 */
export function orphaned(deposit: BookedDeposit): Posting {
  const credit = placeOf(deposit)
  const debit = standing(deposit)
  return { ...forDeposit(deposit, { debit, credit, reason: 'deposit.orphaned' }), reversal: true }
}

function moved(deposit: BookedDeposit, to: { to: Claim; reason: string }): Posting {
  return forDeposit(deposit, { debit: standing(deposit), credit: to.to, reason: to.reason })
}

/** Where all users share an address, deposits arrive at the settlement account itself. */
function placeOf({ chainId, address }: Pick<BookedDeposit, 'chainId' | 'address'>): Place {
  return place(depositPlace(chainId), address)
}

function standing(deposit: BookedDeposit): Claim {
  assert(deposit.booked !== 'none', 'an orphaned deposit has no money to move', { id: deposit.id })
  return `claim:${deposit.booked}`
}

function forDeposit(
  deposit: Omit<BookedDeposit, 'booked'>,
  sides: Pick<Posting, 'debit' | 'credit' | 'reason'>,
): Posting {
  return {
    orgId: deposit.orgId,
    chainId: deposit.chainId,
    tokenId: deposit.tokenId,
    ...sides,
    amount: deposit.amount,
    reversal: false,
    referenceId: deposit.id,
    blockHeight: deposit.block.height,
  }
}

/** How far a balance moved, in base units, up or down. */
export interface Movement extends BalanceKey {
  amount: bigint
}

/** A balance that is not what its postings add up to. */
export interface Drift extends BalanceKey {
  /** Base units as the balance says; 0 where it has no row. */
  stored: bigint
  /** Base units as the postings say; 0 where there are none. */
  posted: bigint
}

/** What one posting does to its two balances. */
export function movementsOf(posting: Posting): [Movement, Movement] {
  const { orgId, chainId, tokenId, debit, credit, amount } = posting
  return [
    { orgId, chainId, tokenId, account: debit, amount: isPlace(debit) ? amount : -amount },
    { orgId, chainId, tokenId, account: credit, amount: isPlace(credit) ? -amount : amount },
  ]
}

/** States the law of a posting; the database holds it too. */
export function assertPosting(posting: Posting): void {
  assert(posting.amount > 0n, 'a posting of nothing, or less', { ...posting })
  assert(posting.debit !== posting.credit, 'a posting from an account to itself', { ...posting })
}
