import type { ChainId } from '@sluice/wire'
import { type RawBuilder, sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import { displayAddress } from '../chains/format-address.ts'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import type { Account, AccountFilter, AccountOwner, AccountPage } from './account.ts'
import type { AccountIdentity } from './row-mac.ts'

export interface AccountRow {
  org_id: string
  id: string
  chain_id: ChainId
  external_user_id: string
  address: Address
  destination_tag: number | null
  wallet_number: number
  path_index: number
  mac: Uint8Array
  created_at: Millis
  updated_at: Millis
}

/** An account as it is stored; its MAC is to be checked before any field of it is used. */
export interface StoredAccount {
  identity: AccountIdentity & { mac: Uint8Array }
  account: Account
}

/** The account of an end user on a chain, without a lock. */
export async function selectAccount(tx: Tx, owner: AccountOwner): Promise<StoredAccount | null> {
  const row = await tx.maybe(sql<AccountRow>`
    select ${columns}
      from accounts
     where org_id = ${owner.orgId}
       and chain_id = ${owner.chainId}
       and external_user_id = ${owner.externalUserId}`)
  return row === null ? null : fromRow(row)
}

/** The accounts with these ids, of any organization. */
export async function selectAccountsById(
  tx: Tx,
  keys: readonly { orgId: string; id: string }[],
): Promise<StoredAccount[]> {
  const rows = await tx.many(sql<AccountRow>`
    select ${columns}
      from (select distinct k.org_id as key_org, k.id as key_id
              from unnest(
                   ${keys.map(({ orgId }) => orgId)}::uuid[],
                   ${keys.map(({ id }) => id)}::uuid[]) as k (org_id, id)) k
     cross join lateral (
           select *
             from accounts
            where org_id = key_org
              and id = key_id) a`)
  return rows.map(fromRow)
}

/** The accounts of these addresses on chains that watch them together. */
export async function selectAccountsAt(
  tx: Tx,
  query: { chainIds: readonly ChainId[]; addresses: readonly Address[] },
): Promise<StoredAccount[]> {
  const rows = await tx.many(sql<AccountRow>`
    select ${columns}
      from accounts
     where chain_id = any(${query.chainIds}::text[])
       and address = any(${query.addresses}::text[])`)
  return rows.map(fromRow)
}

/**
 * Inserts an account; null if another account has its address, or the tag of its address, already.
 */
export async function insertAccount(
  tx: Tx,
  account: AccountIdentity & { mac: Uint8Array },
): Promise<Account | null> {
  const now = iso(tx.clock.now())
  const row = await tx.maybe(sql<AccountRow>`
    insert into accounts (
           org_id, id, chain_id, external_user_id, address, destination_tag, wallet_number,
           path_index, mac, created_at, updated_at)
    values (${account.orgId}, ${account.id}, ${account.chainId}, ${account.externalUserId},
            ${account.address}, ${account.destinationTag}, ${account.wallet}, ${account.index},
            ${account.mac}, ${now}::timestamptz, ${now}::timestamptz)
        on conflict (chain_id, address, destination_tag) do nothing
    returning ${columns}`)
  return row === null ? null : fromRow(row).account
}

/** A page of an organization's accounts, newest first, after the one named. */
export async function selectAccounts(tx: Tx, page: AccountPage): Promise<StoredAccount[]> {
  return (await tx.many(pageQuery(page))).map(fromRow)
}

/** The query of a page. With one filter it reads only matching rows. */
export function pageQuery({ orgId, filter, after, limit }: AccountPage): RawBuilder<AccountRow> {
  return sql<AccountRow>`
    select ${columns}
      from accounts
     where org_id = ${orgId}
       ${matching(filter)}
       ${after === null ? none : olderThan(after)}
     order by created_at desc, id desc
     limit ${limit}`
}

const columns = sql`
           org_id, id, chain_id, external_user_id, address, destination_tag, wallet_number,
           path_index, mac, created_at, updated_at`

const none = sql``

function matching({ externalUserId, chainId, addresses, destinationTag }: AccountFilter) {
  return sql.join(
    [
      externalUserId === undefined ? none : sql`and external_user_id = ${externalUserId}`,
      chainId === undefined ? none : sql`and chain_id = ${chainId}`,
      addresses === undefined ? none : isOneOf(addresses),
      destinationTag === undefined ? none : sql`and destination_tag = ${destinationTag}`,
    ],
    sql` `,
  )
}

function olderThan({ createdAt, id }: NonNullable<AccountPage['after']>) {
  return sql`and (created_at, id) < (${iso(createdAt)}::timestamptz, ${id}::uuid)`
}

function isOneOf(addresses: NonNullable<AccountFilter['addresses']>) {
  return sql`and (chain_id, address) in (
       select *
         from unnest(
              ${addresses.map(({ chainId }) => chainId)}::text[],
              ${addresses.map(({ address }) => address)}::text[]))`
}

/** One row with the module's types. */
export function fromRow(row: AccountRow): StoredAccount {
  const { created_at: createdAt, updated_at: updatedAt, address } = row
  const named = {
    orgId: row.org_id,
    id: row.id,
    chainId: row.chain_id,
    externalUserId: row.external_user_id,
    destinationTag: row.destination_tag,
  }
  const { wallet_number: wallet, path_index: index, mac } = row
  return {
    identity: { ...named, address, wallet, index, mac },
    account: { ...named, address: displayAddress(row.chain_id, address), createdAt, updatedAt },
  }
}
