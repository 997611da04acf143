import { sum } from '../base/amount.ts'
import type { Tx } from '../store/database.ts'
import { type Balance, type BalanceFilter, type BalanceKey, isPlace } from './account.ts'
import { selectBalances, selectBalancesOf, selectTokens } from './rows.ts'

/** Reads balances in the order of their keys. An account that was never posted to has no row. */
export function readBalances(tx: Tx, filter: BalanceFilter): Promise<Balance[]> {
  return selectBalances(tx, filter)
}

/** Reads the balances of these keys, in one question; those never posted to are left out. */
export async function readBalancesOf(tx: Tx, keys: readonly BalanceKey[]): Promise<Balance[]> {
  return keys.length === 0 ? [] : selectBalancesOf(tx, keys)
}

/** The balance of one key, in base units: 0 where nothing was ever posted to it. */
export async function readBalance(tx: Tx, key: BalanceKey): Promise<bigint> {
  const [row] = await selectBalancesOf(tx, [key])
  return row?.amount ?? 0n
}

/**
 * The tokens of which anything was ever booked for an organization, configured or not. Costs as
 * much as there are tokens, not as there are balances.
 */
export async function listBookedTokens(
  tx: Tx,
  { orgId }: { orgId: string },
): Promise<Pick<BalanceKey, 'chainId' | 'tokenId'>[]> {
  const rows = await selectTokens(tx, orgId)
  return rows.map((row) => ({ chainId: row.chain_id, tokenId: row.token_id }))
}

/** What the chain should show, of the balances given: the sum of the places. */
export function sumPlaces(balances: readonly Pick<Balance, 'account' | 'amount'>[]): bigint {
  return sum(balances.filter(({ account }) => isPlace(account)).map(({ amount }) => amount))
}

/** What is owed, of the balances given: the sum of the claims. */
export function sumClaims(balances: readonly Pick<Balance, 'account' | 'amount'>[]): bigint {
  return sum(balances.filter(({ account }) => !isPlace(account)).map(({ amount }) => amount))
}
