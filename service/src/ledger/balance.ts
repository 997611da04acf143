import { sum } from '../base/amount.ts'
import type { Tx } from '../store/database.ts'
import { type Balance, type BalanceFilter, isPlace } from './account.ts'
import { selectBalances } from './rows.ts'

/** Reads balances in the order of their keys. An account that was never posted to has no row. */
export function readBalances(tx: Tx, filter: BalanceFilter): Promise<Balance[]> {
  return selectBalances(tx, filter)
}

/** What the chain should show, of the balances given: the sum of the places. */
export function sumPlaces(balances: readonly Pick<Balance, 'account' | 'amount'>[]): bigint {
  return sum(balances.filter(({ account }) => isPlace(account)).map(({ amount }) => amount))
}

/** What is owed, of the balances given: the sum of the claims. */
export function sumClaims(balances: readonly Pick<Balance, 'account' | 'amount'>[]): bigint {
  return sum(balances.filter(({ account }) => !isPlace(account)).map(({ amount }) => amount))
}
