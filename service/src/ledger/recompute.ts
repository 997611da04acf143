import type { Tx } from '../store/database.ts'
import type { BalanceFilter } from './account.ts'
import type { Drift, Movement } from './posting.ts'
import { selectDrift, selectRecomputed } from './rows.ts'

/** Sums the postings by balance, in the order of the keys. */
export function recomputeBalances(tx: Tx, filter: BalanceFilter): Promise<Movement[]> {
  return selectRecomputed(tx, filter)
}

/** Returns the balances that differ from their postings. Call it in a snapshot. */
export function findDrift(tx: Tx): Promise<Drift[]> {
  return selectDrift(tx)
}
