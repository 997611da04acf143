import { sum } from '../base/amount.ts'
import type { Tx } from '../store/database.ts'
import { type Balance, type BalanceFilter, type BalanceKey, isPlace } from './account.ts'
import { selectBalances, selectBalancesOf, selectTokens } from './rows.ts'

/** Reads balances in the order of their keys. An account without postings has no row. */
export function readBalances(tx: Tx, filter: BalanceFilter): Promise<Balance[]> {
  return selectBalances(tx, filter)
}

/** Reads the balances of these keys in one query, without accounts that have no postings. */
export async function readBalancesOf(tx: Tx, keys: readonly BalanceKey[]): Promise<Balance[]> {
  return keys.length === 0 ? [] : selectBalancesOf(tx, keys)
}

/** Reads one balance in base units; 0 if it has no postings. */
export async function readBalance(tx: Tx, key: BalanceKey): Promise<bigint> {
  const [row] = await selectBalancesOf(tx, [key])
  return row?.amount ?? 0n
}

/**
 * The tokens of an organization's postings, configured or not. The cost depends on the number of
 * tokens, not of balances.
 */
export async function listBookedTokens(
  tx: Tx,
  { orgId }: { orgId: string },
): Promise<Pick<BalanceKey, 'chainId' | 'tokenId'>[]> {
  const rows = await selectTokens(tx, orgId)
  return rows.map((row) => ({ chainId: row.chain_id, tokenId: row.token_id }))
}

/** The sum of the places, which the chain should show. */
export function sumPlaces(balances: readonly Pick<Balance, 'account' | 'amount'>[]): bigint {
  return sum(balances.filter(({ account }) => isPlace(account)).map(({ amount }) => amount))
}

/** The sum of the claims, which the organization owes or owns. */
export function sumClaims(balances: readonly Pick<Balance, 'account' | 'amount'>[]): bigint {
  return sum(balances.filter(({ account }) => !isPlace(account)).map(({ amount }) => amount))
}
