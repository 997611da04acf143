import type { Tx } from '../store/database.ts'
import type { Account, AccountOwner } from './account.ts'
import { selectAccount } from './rows.ts'

/**
 * The account of an end user on a chain; null where there is none. It takes no lock and makes
 * nothing.
 */
export function findAccount(tx: Tx, whose: AccountOwner): Promise<Account | null> {
  return selectAccount(tx, whose)
}
