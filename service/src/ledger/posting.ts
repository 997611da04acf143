import type { ChainId, TokenId } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import { type BalanceKey, type LedgerAccount, isPlace } from './account.ts'

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

/** How far a balance moved, in base units, up or down. */
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
