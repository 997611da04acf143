import type { ChainId } from '@sluice/wire'
import { type RawBuilder, sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import { displayAddress } from '../chains/format-address.ts'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import type { Account, AccountFilter, AccountOwner, AccountPage } from './account.ts'

export interface AccountRow {
  org_id: string
  id: string
  chain_id: ChainId
  external_user_id: string
  address: Address
  destination_tag: number | null
  created_at: Millis
  updated_at: Millis
}

/** The account of an end user on a chain, without a lock. */
export async function selectAccount(tx: Tx, owner: AccountOwner): Promise<Account | null> {
  const row = await tx.maybe(sql<AccountRow>`
    select ${columns}
      from accounts
     where org_id = ${owner.orgId}
       and chain_id = ${owner.chainId}
       and external_user_id = ${owner.externalUserId}`)
  return row === null ? null : fromRow(row)
}

/** Inserts an account with the address of a wallet's index. */
export async function insertAccount(
  tx: Tx,
  account: AccountOwner & { address: Address; wallet: number; index: number },
): Promise<Account> {
  const now = iso(tx.clock.now())
  const row = await tx.one(sql<AccountRow>`
    insert into accounts (
           org_id, id, chain_id, external_user_id, address, wallet_number, path_index,
           created_at, updated_at)
    values (${account.orgId}, ${tx.ids.next()}, ${account.chainId}, ${account.externalUserId},
            ${account.address}, ${account.wallet}, ${account.index},
            ${now}::timestamptz, ${now}::timestamptz)
    returning ${columns}`)
  return fromRow(row)
}

/** Inserts an account under a tag of a base account; null where somebody has the tag. */
export async function insertTagged(
  tx: Tx,
  account: AccountOwner & { address: Address; wallet: number; tag: number },
): Promise<Account | null> {
  const now = iso(tx.clock.now())
  const row = await tx.maybe(sql<AccountRow>`
    insert into accounts (
           org_id, id, chain_id, external_user_id, address, destination_tag, wallet_number,
           path_index, created_at, updated_at)
    values (${account.orgId}, ${tx.ids.next()}, ${account.chainId}, ${account.externalUserId},
            ${account.address}, ${account.tag}, ${account.wallet}, 0,
            ${now}::timestamptz, ${now}::timestamptz)
        on conflict (chain_id, address, destination_tag) do nothing
    returning ${columns}`)
  return row === null ? null : fromRow(row)
}

/** A page of an organization's accounts, newest first, after the one named. */
export async function selectAccounts(tx: Tx, page: AccountPage): Promise<Account[]> {
  return (await tx.many(pageQuery(page))).map(fromRow)
}

/** The statement behind a page; with whatever one filter it reads no more rows than those. */
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
           org_id, id, chain_id, external_user_id, address, destination_tag,
           created_at, updated_at`

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

function fromRow(row: AccountRow): Account {
  return {
    orgId: row.org_id,
    id: row.id,
    chainId: row.chain_id,
    externalUserId: row.external_user_id,
    address: displayAddress(row.chain_id, row.address),
    destinationTag: row.destination_tag,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
