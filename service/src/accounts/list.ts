import type { Tx } from '../store/database.ts'
import type { Account, AccountPage } from './account.ts'
import { selectAccounts } from './rows.ts'

/** A page of an organization's accounts, newest first. */
export function listAccounts(tx: Tx, page: AccountPage): Promise<Account[]> {
  return selectAccounts(tx, page)
}
