import type { Tx } from '../store/database.ts'
import type { BalanceFilter } from './account.ts'
import type { Drift, Movement } from './posting.ts'
import { selectDrift, selectRecomputed } from './rows.ts'

/** Adds up the postings anew, as though there were no balances; in the order of the keys. */
export function recomputeBalances(tx: Tx, filter: BalanceFilter): Promise<Movement[]> {
  return selectRecomputed(tx, filter)
}

/**
 * Compares all balances with their postings; empty where the ledger is whole. Give it a snapshot.
 */
export function findDrift(tx: Tx): Promise<Drift[]> {
  return selectDrift(tx)
}
