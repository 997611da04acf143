import type { Tx } from '../store/database.ts'
import type { BalanceKey } from './account.ts'
import { type Posting, assertPosting, movementsOf } from './posting.ts'
import { insertPostings, isOverdraft } from './rows.ts'

/**
 * The balance of an account does not cover a posting that takes from it. The transaction is lost
 * and must be left. A caller that asked on behalf of somebody turns it into INSUFFICIENT_BALANCE;
 * elsewhere it is a bug.
 */
export class Overdrawn extends Error {
  override readonly name = 'Overdrawn'
  /** The balances that the refused postings would have lowered; one of them is short. */
  readonly balances: readonly BalanceKey[]

  constructor(balances: readonly BalanceKey[], cause: unknown) {
    super(`a balance would fall below zero: ${balances.map(spell).join(', ')}`, { cause })
    this.balances = balances
  }
}

/**
 * Books postings, all or none, in one statement; the database moves the balances along with them.
 * Throws Overdrawn where a balance would fall below zero without a reversal, or further below.
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
