import type { Tx } from '../store/database.ts'
import type { Account, AccountOwner } from './account.ts'
import { type RowVerifier, isAuthenticAccount } from './row-mac.ts'
import { type StoredAccount, selectAccount } from './rows.ts'
import { TamperedAccount, tamperedAccount } from './tampered.ts'

/**
 * The account of an end user on a chain; null if there is none. Takes no lock and creates nothing.
 * Throws TamperedAccount if its row was changed in the database.
 */
export async function findAccount(
  tx: Tx,
  serviceKey: RowVerifier,
  owner: AccountOwner,
): Promise<Account | null> {
  const stored = await selectAccount(tx, owner)
  return stored === null ? null : requireAuthentic(serviceKey, stored)
}

/** The account of a stored row. Throws TamperedAccount if its MAC does not match. */
export function requireAuthentic(
  serviceKey: RowVerifier,
  { identity, account }: StoredAccount,
): Account {
  if (!isAuthenticAccount(serviceKey, identity))
    throw new TamperedAccount(tamperedAccount(identity))
  return account
}
