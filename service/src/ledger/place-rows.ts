import type { ChainId, TokenId } from '@sluice/wire'
import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import type { LedgerAccount } from './account.ts'

export async function selectPlaces(
  tx: Tx,
  query: { chainId: ChainId; orgIds: readonly string[]; accounts: readonly LedgerAccount[] },
): Promise<{ tokenId: TokenId; account: LedgerAccount; amount: bigint }[]> {
  return tx.many(sql<{ tokenId: TokenId; account: LedgerAccount; amount: bigint }>`
    select token_id as "tokenId", account, amount
      from balances
     where org_id = any(${query.orgIds}::uuid[])
       and chain_id = ${query.chainId}
       and account = any(${query.accounts}::text[])`)
}

/** The places changed by the last `limit` postings since a time. */
export async function selectMovedPlaces(
  tx: Tx,
  query: { chainId: ChainId; since: Millis; limit: number },
): Promise<{ orgId: string; account: LedgerAccount }[]> {
  return tx.many(sql<{ orgId: string; account: LedgerAccount }>`
    select distinct org_id as "orgId", account
      from (select org_id, unnest(array[debit, credit]) as account
              from (select org_id, debit, credit
                      from postings
                     where chain_id = ${query.chainId}
                       and created_at >= ${iso(query.since)}::timestamptz
                       and (debit like 'place:%' or credit like 'place:%')
                     order by created_at desc
                     limit ${query.limit}) recent) sides
     where account like 'place:%'
     order by org_id, account`)
}

/** How postings of blocks above a height changed these accounts, by account and token. */
export async function selectPlacesAbove(
  tx: Tx,
  query: {
    chainId: ChainId
    orgIds: readonly string[]
    accounts: readonly LedgerAccount[]
    height: number
  },
): Promise<{ tokenId: TokenId; account: LedgerAccount; amount: bigint }[]> {
  return tx.many(sql<{ tokenId: TokenId; account: LedgerAccount; amount: bigint }>`
    with above as (
         select org_id, token_id, debit, credit, amount
           from postings
          where chain_id = ${query.chainId}
            and block_height > ${query.height}
            and (debit like 'place:%' or credit like 'place:%'))
    select token_id as "tokenId", account, sum(amount)::numeric as amount
      from (select org_id, token_id, debit as account, amount
              from above
             union all
            select org_id, token_id, credit, -amount
              from above) m
     where org_id = any(${query.orgIds}::uuid[])
       and account = any(${query.accounts}::text[])
     group by token_id, account`)
}

/** The amount at a place, and since when. */
export interface PlaceRow {
  account: LedgerAccount
  amount: bigint
  updatedAt: Millis
}

/** A page of an organization's places of one kind and token, after an account. */
export async function selectPlacesAfter(
  tx: Tx,
  query: {
    orgId: string
    chainId: ChainId
    tokenId: TokenId
    prefix: string
    after: string
    limit: number
  },
): Promise<PlaceRow[]> {
  return tx.many(sql<PlaceRow>`
    select account, amount, updated_at as "updatedAt"
      from balances
     where org_id = ${query.orgId}
       and chain_id = ${query.chainId}
       and token_id = ${query.tokenId}
       and account > ${query.after === '' ? query.prefix : query.after}
       and account < ${`${query.prefix}~`}
     order by account
     limit ${query.limit}`)
}

/** Places of any organization that hold one of these tokens, at most `limit`. */
export async function selectHoldingPlaces(
  tx: Tx,
  query: { chainId: ChainId; tokenIds: readonly TokenId[]; limit: number },
): Promise<PlaceRow['account'][]> {
  const rows = await tx.many(sql<Pick<PlaceRow, 'account'>>`
    select distinct account
      from balances
     where chain_id = ${query.chainId}
       and token_id = any(${query.tokenIds}::text[])
       and account > 'place:'
       and account < 'place:~'
       and amount > 0
     order by account
     limit ${query.limit}`)
  return rows.map(({ account }) => account)
}

/** The places of one kind and token with the largest balances. */
export async function selectFullest(
  tx: Tx,
  query: { orgId: string; chainId: ChainId; tokenId: TokenId; prefix: string; limit: number },
): Promise<PlaceRow[]> {
  return tx.many(sql<PlaceRow>`
    select account, amount, updated_at as "updatedAt"
      from balances
     where org_id = ${query.orgId}
       and chain_id = ${query.chainId}
       and token_id = ${query.tokenId}
       and account > ${query.prefix}
       and account < ${`${query.prefix}~`}
       and amount > 0
     order by amount desc, account
     limit ${query.limit}`)
}

/**
 * The sum of the places that hold at most `most` each and that our own spends changed. The
 * subqueries force one index lookup for each place.
 */
export async function selectLeftBehind(
  tx: Tx,
  query: { orgId: string; chainId: ChainId; tokenId: TokenId; prefix: string; most: bigint },
): Promise<bigint> {
  const row = await tx.one(sql<{ left: bigint }>`
    select coalesce(sum(b.amount), 0)::numeric as left
      from balances b
     where b.org_id = ${query.orgId}
       and b.chain_id = ${query.chainId}
       and b.token_id = ${query.tokenId}
       and b.account > ${query.prefix}
       and b.account < ${`${query.prefix}~`}
       and b.amount > 0
       and b.amount <= ${query.most}
       and coalesce(
           (select 1
              from postings i
             where i.chain_id = b.chain_id
               and i.debit = b.account
               and i.debit like 'place:%'
               and i.credit <> 'claim:unconfirmed'
               and i.token_id = b.token_id
             limit 1),
           (select 1
              from postings o
             where o.chain_id = b.chain_id
               and o.credit = b.account
               and o.credit like 'place:%'
               and o.reason = 'spend.fee'
             limit 1)) is not null`)
  return row.left
}

/**
 * The tokens of a chain with a balance at any place, except `besides`. One index lookup for each
 * organization, chain and token, independent of the number of addresses.
 */
export async function selectPlacedTokens(
  tx: Tx,
  { chainId, besides }: { chainId: ChainId; besides: readonly TokenId[] },
): Promise<TokenId[]> {
  const rows = await tx.many(sql<{ id: TokenId }>`
    with recursive known as (
          (select org_id, chain_id, token_id
             from balances
            order by org_id, chain_id, token_id
            limit 1)
            union all
           select next.*
             from known k
            cross join lateral (
                  select b.org_id, b.chain_id, b.token_id
                    from balances b
                   where (b.org_id, b.chain_id, b.token_id) > (k.org_id, k.chain_id, k.token_id)
                   order by b.org_id, b.chain_id, b.token_id
                   limit 1) next)
    select distinct token_id as id
      from known k
     where chain_id = ${chainId}
       and token_id <> all(${besides}::text[])
       and exists (
           select 1
             from balances b
            where b.org_id = k.org_id
              and b.chain_id = k.chain_id
              and b.token_id = k.token_id
              and b.account like 'place:%'
              and b.amount > 0)`)
  return rows.map(({ id }) => id)
}
