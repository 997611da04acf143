import type { Tx } from '../store/database.ts'
import type { Deposit } from './deposit.ts'
import { type PageAsked, selectOfTransaction, selectPage, sumBelowMinimum } from './list-rows.ts'

/**
 * One page of an organization's deposits, newest first, from just after a keyset; fewer than
 * `limit` come back only at the end. The order is (creation, id) and so stable while new deposits
 * arrive.
 */
export function listDeposits(tx: Tx, asked: PageAsked): Promise<Deposit[]> {
  return selectPage(tx, asked)
}

/** The deposits of one transaction, in the order of their positions. */
export function depositsOfTransaction(
  tx: Tx,
  key: { chainId: string; txnHash: string },
): Promise<Deposit[]> {
  return selectOfTransaction(tx, key)
}

/** What waits below the minimum at the account of a deposit, of its token, in base units. */
export function waitingBelowMinimum(tx: Tx, deposit: Deposit): Promise<bigint> {
  return sumBelowMinimum(tx, deposit)
}
