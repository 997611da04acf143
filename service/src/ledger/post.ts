import type { Tx } from '../store/database.ts'
import type { BalanceKey } from './account.ts'
import { type Posting, assertPosting, movementsOf } from './posting.ts'
import { insertPostings, isOverdraft } from './rows.ts'

/**
 * A balance does not cover a posting. The transaction is aborted and must be left. For a request
 * the caller turns it into INSUFFICIENT_BALANCE; elsewhere it is a bug.
 */
export class Overdrawn extends Error {
  override readonly name = 'Overdrawn'
  /** The balances that the postings would have lowered; at least one is too small. */
  readonly balances: readonly BalanceKey[]

  constructor(balances: readonly BalanceKey[], cause: unknown) {
    super(`a balance would fall below zero: ${balances.map(spell).join(', ')}`, { cause })
    this.balances = balances
  }
}

/**
 * Inserts postings in one statement; a trigger updates the balances. Throws Overdrawn if a posting
 * other than a reversal would make a balance negative, or more negative.
 */
export async function post(tx: Tx, postings: readonly Posting[]): Promise<void> {
  if (postings.length === 0) return
  for (const posting of postings) assertPosting(posting)
  try {
    await insertPostings(tx, postings)
  } catch (error) {
    if (!isOverdraft(error)) throw error
    throw new Overdrawn(loweredBy(postings), error)
  }
}

function loweredBy(postings: readonly Posting[]): BalanceKey[] {
  const lowered = new Map<string, BalanceKey>()
  for (const { amount, ...key } of postings.flatMap(movementsOf)) {
    if (amount < 0n) lowered.set(`${key.orgId} ${spell(key)}`, key)
  }
  return [...lowered.values()]
}

function spell({ tokenId, account }: BalanceKey): string {
  return `${account} of ${tokenId}`
}
