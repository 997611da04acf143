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

/** One debit and one credit of the same amount, so that their sum is zero by construction. */
export interface Posting {
  orgId: string
  chainId: ChainId
  tokenId: TokenId
  debit: LedgerAccount
  credit: LedgerAccount
  /** Base units, above zero. */
  amount: bigint
  reason: string
  /** Reverses what a reorg undid. Only a reversal may make a claim negative. */
  reversal: boolean
  /** The record that it belongs to, such as a deposit. */
  referenceId: string
  /** Null if it belongs to no block. */
  blockHeight: number | null
}

/** The fields of a deposit that its postings need. `booked` is the claim that holds its amount. */
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

/** A deposit was detected. */
export function detected(deposit: BookedDeposit): Posting {
  const debit = placeOf(deposit)
  return forDeposit(deposit, { debit, credit: CLAIM.unconfirmed, reason: 'deposit.detected' })
}

/** An unattributed deposit was detected. */
export function parked(arrival: Omit<BookedDeposit, 'booked'>): Posting {
  const sides = { debit: placeOf(arrival), credit: CLAIM.unattributed }
  return forDeposit(arrival, { ...sides, reason: 'deposit.unattributed' })
}

/** An unattributed deposit was assigned to a user and waits for its confirmation. */
export function attributed(deposit: BookedDeposit): Posting {
  const sides = { debit: CLAIM.unattributed, credit: CLAIM.unconfirmed }
  return forDeposit(deposit, { ...sides, reason: 'deposit.attributed' })
}

/** A deposit is credited. */
export function confirmed(deposit: BookedDeposit): Posting {
  return moved(deposit, { to: CLAIM.available, reason: 'deposit.confirmed' })
}

/** A deposit is below the minimum. */
export function setAside(deposit: BookedDeposit): Posting {
  return moved(deposit, { to: CLAIM.belowMinimum, reason: 'deposit.below-minimum' })
}

/** A deposit is held. */
export function held(deposit: BookedDeposit): Posting {
  return moved(deposit, { to: CLAIM.held, reason: 'deposit.held' })
}

/** A held or too small deposit waits for its confirmation again. */
export function released(deposit: BookedDeposit): Posting {
  return moved(deposit, { to: CLAIM.unconfirmed, reason: 'deposit.released' })
}

/** A reorg removed a deposit's block. */
export function orphaned(deposit: BookedDeposit): Posting {
  const credit = placeOf(deposit)
  const debit = standing(deposit)
  return { ...forDeposit(deposit, { debit, credit, reason: 'deposit.orphaned' }), reversal: true }
}

function moved(deposit: BookedDeposit, to: { to: Claim; reason: string }): Posting {
  return forDeposit(deposit, { debit: standing(deposit), credit: to.to, reason: to.reason })
}

/** On chains with shared addresses, deposits arrive at the settlement account. */
function placeOf({ chainId, address }: Pick<BookedDeposit, 'chainId' | 'address'>): Place {
  return place(depositPlace(chainId), address)
}

function standing(deposit: BookedDeposit): Claim {
  assert(deposit.booked !== 'none', 'an orphaned deposit has no booked amount', { id: deposit.id })
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

/** The signed change of a balance, in base units. */
export interface Movement extends BalanceKey {
  amount: bigint
}

/** A balance that differs from the sum of its postings. */
export interface Drift extends BalanceKey {
  /** Base units; 0 if the balance has no row. */
  stored: bigint
  /** The sum of the postings, in base units. */
  posted: bigint
}

/** The changes of the two balances of a posting. */
export function movementsOf(posting: Posting): [Movement, Movement] {
  const { orgId, chainId, tokenId, debit, credit, amount } = posting
  return [
    { orgId, chainId, tokenId, account: debit, amount: isPlace(debit) ? amount : -amount },
    { orgId, chainId, tokenId, account: credit, amount: isPlace(credit) ? -amount : amount },
  ]
}

/** Asserts the rules of a posting, which the database enforces too. */
export function assertPosting(posting: Posting): void {
  assert(posting.amount > 0n, 'a posting without a positive amount', { ...posting })
  assert(posting.debit !== posting.credit, 'a posting from an account to itself', { ...posting })
}
