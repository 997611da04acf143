import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import { assert } from '../base/assert.ts'
import { iso } from '../base/clock.ts'
import { displayAddress } from '../chains/format-address.ts'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import type { Account } from './account.ts'
import type { WalletKey } from './wallet-rows.ts'

/** The end users of one organization on one chain. */
export interface AccountGroup {
  orgId: string
  chainId: ChainId
}

type Row = Omit<Account, 'address'> & { address: Address }

/** The accounts of so many end users, without a lock, by external user id. */
export async function selectGroup(
  tx: Tx,
  { orgId, chainId }: AccountGroup,
  externalUserIds: readonly string[],
): Promise<Map<string, Account>> {
  const rows = await tx.many(sql<Row>`
    select ${columns}
      from accounts
     where org_id = ${orgId}
       and chain_id = ${chainId}
       and external_user_id = any (${[...externalUserIds]}::text[])`)
  return byUser(rows)
}

/** What an account of a group is made of. */
export interface NewAccount {
  id: string
  externalUserId: string
  address: Address
  index: number
}

/** Inserts accounts with the addresses of one wallet's indexes, by external user id. */
export async function insertGroup(
  tx: Tx,
  { orgId, chainId, wallet }: AccountGroup & { wallet: number },
  accounts: readonly NewAccount[],
): Promise<Map<string, Account>> {
  const now = iso(tx.clock.now())
  const rows = await tx.many(sql<Row>`
    insert into accounts (
           org_id, id, chain_id, external_user_id, address, wallet_number, path_index,
           created_at, updated_at)
    select ${orgId}::uuid, a.id, ${chainId}, a.external_user_id, a.address, ${wallet}::bigint,
           a.path_index, ${now}::timestamptz, ${now}::timestamptz
      from unnest(
           ${accounts.map(({ id }) => id)}::uuid[],
           ${accounts.map(({ externalUserId }) => externalUserId)}::text[],
           ${accounts.map(({ address }) => address)}::text[],
           ${accounts.map(({ index }) => index)}::bigint[])
        as a (id, external_user_id, address, path_index)
    returning ${columns}`)
  return byUser(rows)
}

/** Watches the deposit addresses of accounts; how many of them were not watched by anybody yet. */
export async function insertWatchedGroup(
  tx: Tx,
  { scope, orgId, chainId }: AccountGroup & { scope: string },
  accounts: readonly NewAccount[],
): Promise<number> {
  return tx.run(sql`
    insert into watched_addresses (
           scope, address, org_id, chain_id, purpose, account_id, external_user_id, created_at)
    select ${scope}, w.address, ${orgId}::uuid, ${chainId}, 'deposit', w.account_id,
           w.external_user_id, ${iso(tx.clock.now())}::timestamptz
      from unnest(
           ${accounts.map(({ address }) => address)}::text[],
           ${accounts.map(({ id }) => id)}::uuid[],
           ${accounts.map(({ externalUserId }) => externalUserId)}::text[])
        as w (address, account_id, external_user_id)
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

const columns = sql`
           org_id as "orgId", id, chain_id as "chainId", external_user_id as "externalUserId",
           address, destination_tag as "destinationTag", created_at as "createdAt",
           updated_at as "updatedAt"`

function byUser(rows: readonly Row[]): Map<string, Account> {
  return new Map(
    rows.map((row) => {
      const address = displayAddress(row.chainId, row.address)
      return [row.externalUserId, { ...row, address }]
    }),
  )
}
