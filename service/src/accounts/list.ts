import type { Tx } from '../store/database.ts'
import type { Account, AccountPage } from './account.ts'
import { type RowVerifier, isAuthenticAccount } from './row-mac.ts'
import { selectAccounts } from './rows.ts'
import { type TamperedRow, tamperedAccount } from './tampered.ts'

/**
 * A page of an organization's accounts, newest first. An account whose row was changed in the
 * database is null in its place, so that pages keep their length; `tampered` names it.
 */
export async function listAccounts(
  tx: Tx,
  serviceKey: RowVerifier,
  page: AccountPage,
): Promise<{
  accounts: { place: Pick<Account, 'createdAt' | 'id'>; account: Account | null }[]
  tampered: TamperedRow[]
}> {
  const tampered: TamperedRow[] = []
  const stored = await selectAccounts(tx, page)
  const accounts = stored.map(({ identity, account }) => {
    const isAuthentic = isAuthenticAccount(serviceKey, identity)
    if (!isAuthentic) tampered.push(tamperedAccount(identity))
    return { place: account, account: isAuthentic ? account : null }
  })
  return { accounts, tampered }
}
