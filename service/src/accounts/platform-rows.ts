import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import { type StoredWatch, watchColumns } from './watch-rows.ts'

type PlatformPurpose = 'settlement' | 'gas'

/** The settlement or gas address of an organization on a chain. */
export async function selectPlatformAddress(
  tx: Tx,
  query: { orgId: string; chainId: ChainId; purpose: PlatformPurpose },
): Promise<Address | null> {
  const row = await tx.maybe(sql<{ address: Address }>`
    select address
      from watched_addresses
     where org_id = ${query.orgId}
       and chain_id = ${query.chainId}
       and purpose = ${query.purpose}
       and purpose <> 'deposit'`)
  return row?.address ?? null
}

/** All platform addresses on a chain, or those of one organization. */
export async function selectPlatform(
  tx: Tx,
  query: { chainId: ChainId; orgId?: string },
): Promise<{ orgId: string; purpose: PlatformPurpose; address: Address }[]> {
  const mine = query.orgId === undefined ? sql`` : sql`and org_id = ${query.orgId}`
  return tx.many(sql<{ orgId: string; purpose: PlatformPurpose; address: Address }>`
    select org_id as "orgId", purpose, address
      from watched_addresses
     where chain_id = ${query.chainId}
       and purpose <> 'deposit'
       ${mine}
     order by org_id, purpose`)
}

/** Every row that claims to be the settlement or gas address, of an organization or of all. */
export async function selectPlatformRows(
  tx: Tx,
  query: { chainId: ChainId; orgId?: string },
): Promise<StoredWatch[]> {
  const mine = query.orgId === undefined ? sql`` : sql`and org_id = ${query.orgId}`
  return tx.many(sql<StoredWatch>`
    select ${watchColumns}
      from watched_addresses
     where chain_id = ${query.chainId}
       and purpose <> 'deposit'
       ${mine}
     order by org_id, purpose, address`)
}

/** Returns the addresses of the list that are platform addresses of any organization. */
export async function selectPlatformAmong(
  tx: Tx,
  { scope, addresses }: { scope: string; addresses: readonly Address[] },
): Promise<Address[]> {
  const rows = await tx.many(sql<{ address: Address }>`
    select address
      from (select distinct unnest(${addresses}::text[]) as address) a
     where is_platform_address(${scope}, address)`)
  return rows.map(({ address }) => address)
}

/** The key path of an address of a scope; null if it is not watched. */
export async function selectSignerPath(
  tx: Tx,
  { scope, address }: { scope: string; address: Address },
): Promise<{
  orgId: string
  chainId: ChainId
  purpose: 'deposit' | PlatformPurpose
  walletNumber: number
  pathIndex: number
} | null> {
  return tx.maybe(sql<{
    orgId: string
    chainId: ChainId
    purpose: 'deposit' | PlatformPurpose
    walletNumber: number
    pathIndex: number
  }>`
    select w.org_id as "orgId", w.chain_id as "chainId", w.purpose,
           coalesce(a.wallet_number, own.number) as "walletNumber",
           coalesce(a.path_index, 0) as "pathIndex"
      from watched_addresses w
      left join accounts a
        on a.org_id = w.org_id
       and a.id = w.account_id
      join wallets own
        on own.org_id = w.org_id
       and own.chain_id = w.chain_id
       and own.purpose = w.purpose
     where w.scope = ${scope}
       and w.address = ${address}`)
}
