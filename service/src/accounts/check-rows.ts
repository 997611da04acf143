import { sql } from 'kysely'
import type { Tx } from '../store/database.ts'
import { type AccountRow, type StoredAccount, fromRow } from './rows.ts'
import { type StoredWallet, type WalletRow, walletFromRow } from './wallet-rows.ts'

/** An account in the order of the paths of keys. */
export interface PathPlace {
  wallet: number
  index: number
  id: string
}

/** Before the first account. */
export const FIRST_PLACE: PathPlace = {
  wallet: -1,
  index: -1,
  id: '00000000-0000-0000-0000-000000000000',
}

/** The accounts after a place, in the order of their paths. */
export async function selectAccountsAfter(
  tx: Tx,
  { after, limit }: { after: PathPlace; limit: number },
): Promise<StoredAccount[]> {
  const rows = await tx.many(sql<AccountRow>`
    select *
      from accounts
     where (wallet_number, path_index, id)
         > (${after.wallet}::integer, ${after.index}::bigint, ${after.id}::uuid)
     order by wallet_number, path_index, id
     limit ${limit}`)
  return rows.map(fromRow)
}

/** Wallets by their numbers. */
export async function selectWalletsByNumber(
  tx: Tx,
  numbers: readonly number[],
): Promise<StoredWallet[]> {
  const rows = await tx.many(sql<WalletRow>`
    select *
      from wallets
     where number = any(${[...numbers]}::integer[])`)
  return rows.map(walletFromRow)
}

/** Deposit wallets that issued addresses, and have no account. */
export async function selectWalletsWithoutAccounts(tx: Tx): Promise<StoredWallet[]> {
  const rows = await tx.many(sql<WalletRow>`
    select *
      from wallets w
     where purpose = 'deposit'
       and next_index > 0
       and not exists (select from accounts a where a.wallet_number = w.number)
     order by number`)
  return rows.map(walletFromRow)
}

/** Settlement and gas wallets that opened their address. */
export async function selectOwnWallets(tx: Tx): Promise<StoredWallet[]> {
  const rows = await tx.many(sql<WalletRow>`
    select *
      from wallets
     where purpose <> 'deposit'
       and next_index > 0
     order by number`)
  return rows.map(walletFromRow)
}
