import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import { assert } from '../base/assert.ts'
import { iso } from '../base/clock.ts'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import type { Account } from './account.ts'
import { type AccountRow, type StoredAccount, fromRow } from './rows.ts'
import type { WalletKey } from './wallet-rows.ts'

/** The end users of one organization on one chain. */
export interface AccountGroup {
  orgId: string
  chainId: ChainId
}

/** The accounts of so many end users, without a lock. */
export async function selectGroup(
  tx: Tx,
  { orgId, chainId }: AccountGroup,
  externalUserIds: readonly string[],
): Promise<StoredAccount[]> {
  const rows = await tx.many(sql<AccountRow>`
    select *
      from accounts
     where org_id = ${orgId}
       and chain_id = ${chainId}
       and external_user_id = any (${[...externalUserIds]}::text[])`)
  return rows.map(fromRow)
}

/** The columns of a new account of a group. */
export interface NewAccount {
  id: string
  externalUserId: string
  address: Address
  index: number
  mac: Uint8Array
  /** Of its watched address. */
  watchMac: Uint8Array
}

/** Inserts accounts with the addresses of one wallet's indexes, by external user id. */
export async function insertGroup(
  tx: Tx,
  { orgId, chainId, wallet }: AccountGroup & { wallet: number },
  accounts: readonly NewAccount[],
): Promise<Map<string, Account>> {
  const now = iso(tx.clock.now())
  const rows = await tx.many(sql<AccountRow>`
    insert into accounts (
           org_id, id, chain_id, external_user_id, address, wallet_number, path_index, mac,
           created_at, updated_at)
    select ${orgId}::uuid, a.id, ${chainId}, a.external_user_id, a.address, ${wallet}::bigint,
           a.path_index, a.mac, ${now}::timestamptz, ${now}::timestamptz
      from unnest(
           ${accounts.map(({ id }) => id)}::uuid[],
           ${accounts.map(({ externalUserId }) => externalUserId)}::text[],
           ${accounts.map(({ address }) => address)}::text[],
           ${accounts.map(({ index }) => index)}::bigint[],
           ${accounts.map(({ mac }) => mac)}::bytea[])
        as a (id, external_user_id, address, path_index, mac)
    returning *`)
  return new Map(rows.map((row) => [row.external_user_id, fromRow(row).account]))
}

/** Watches deposit addresses of accounts. Returns how many were not watched before. */
export async function insertWatchedGroup(
  tx: Tx,
  { scope, orgId, chainId, wallet }: AccountGroup & { scope: string; wallet: number },
  accounts: readonly NewAccount[],
): Promise<number> {
  return tx.run(sql`
    insert into watched_addresses (
           scope, address, org_id, chain_id, purpose, account_id, external_user_id,
           wallet_number, path_index, mac, created_at)
    select ${scope}, w.address, ${orgId}::uuid, ${chainId}, 'deposit', w.account_id,
           w.external_user_id, ${wallet}::bigint, w.path_index, w.mac,
           ${iso(tx.clock.now())}::timestamptz
      from unnest(
           ${accounts.map(({ address }) => address)}::text[],
           ${accounts.map(({ id }) => id)}::uuid[],
           ${accounts.map(({ externalUserId }) => externalUserId)}::text[],
           ${accounts.map(({ index }) => index)}::bigint[],
           ${accounts.map(({ watchMac }) => watchMac)}::bytea[])
        as w (address, account_id, external_user_id, path_index, mac)
        on conflict (scope, address) do nothing`)
}

/** Moves the index of a locked wallet on by so many. */
export async function advanceIndexes(
  tx: Tx,
  key: WalletKey,
  { from, count }: { from: number; count: number },
): Promise<void> {
  const moved = await tx.run(sql`
    update wallets
       set next_index = next_index + ${count}
     where org_id = ${key.orgId}
       and chain_id = ${key.chainId}
       and purpose = ${key.purpose}
       and next_index = ${from}`)
  assert(moved === 1, 'a wallet moved on although it was locked', { from })
}
