import type { DepositStatus } from '@sluice/wire'
import { type RawBuilder, sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import { joinConditions } from '../store/conditions.ts'
import type { Deposit } from './deposit.ts'
import { type TransferRow, depositsOf } from './rows.ts'

/** Filters of a list of deposits (decisions, section 9); times in milliseconds. */
export interface DepositFilter {
  externalUserId?: string
  chainId?: string
  tokenId?: string
  status?: DepositStatus
  /** One transaction, on any chain. */
  transaction?: TransactionFilter
  search?: DepositSearch
  from?: Millis
  to?: Millis
}

/** The end user, or one of the others: its id, the transaction, the paid address or account. */
export interface DepositSearch {
  text: string
  id?: string
  transaction?: TransactionFilter
  /** One address, in all its spellings. */
  addresses?: readonly string[]
  /** One of the accounts that share an address. */
  account?: { id: string; externalUserId: string }
}

/** One hash, in all its spellings, on any of these chains. */
export interface TransactionFilter {
  hashes: readonly string[]
  chainIds: readonly string[]
}

/** A place in the order of a list: creation, then id. */
export interface Keyset {
  createdAt: Millis
  id: string
}

/** One page of a list. */
export interface PageAsked {
  orgId: string
  filter: DepositFilter
  after: Keyset | null
  limit: number
}

/** One page, newest first, from just after `after`. */
export async function selectPage(tx: Tx, asked: PageAsked): Promise<Deposit[]> {
  return depositsOf(await tx.many(pageQuery(asked)))
}

/** Base units below the minimum at a deposit's account, of its token. */
export async function sumBelowMinimum(tx: Tx, deposit: Deposit): Promise<bigint> {
  const { total } = await tx.one(sql<{ total: bigint }>`
    select coalesce(sum(amount), 0)::numeric as total
      from incoming_transfers
     where org_id = ${deposit.orgId}
       and account_id = ${deposit.accountId}
       and chain_id = ${deposit.chainId}
       and token_id = ${deposit.tokenId}
       and status = 'BelowMinimum'`)
  return total
}

/**
 * Statement of a page. With any one filter it reads no more rows than the page has
 * (`service/test/store/list-plans.test.ts`): a chain token by token, a hash on every chain that may
 * have it.
 */
export function pageQuery({ orgId, filter, after, limit }: PageAsked): RawBuilder<TransferRow> {
  const order = sql`
     order by created_at desc, id desc
     limit ${limit}`
  const { chainId, search } = filter
  if (search !== undefined)
    return sql<TransferRow>`
    select distinct on (created_at, id) page.*
      from (${sql.join(
        matchesOf(search).map(
          (match) => sql`(
           select *
             from incoming_transfers
            where org_id = ${orgId}
              and purpose = 'deposit'
              and ${match}
              ${conditions(filter)}
              ${beyond(after)}
            ${order})`,
        ),
        sql` union all `,
      )}) page
     ${order}`
  if (chainId === undefined || !isByTokens(filter))
    return sql<TransferRow>`
    select *
      from incoming_transfers
     where org_id = ${orgId}
       and purpose = 'deposit'
       ${conditions(filter)}
       ${beyond(after)}
     ${order}`
  return sql<TransferRow>`
      with recursive kinds (token_id) as (
           ${nextKind({ orgId, chainId }, sql`''`)}
            union all
           select (${nextKind({ orgId, chainId }, sql`kinds.token_id`)})
             from kinds
            where token_id is not null)
    select page.*
      from kinds
     cross join lateral (
           select *
             from incoming_transfers
            where org_id = ${orgId}
              and purpose = 'deposit'
              and incoming_transfers.token_id = kinds.token_id
              ${conditions(filter)}
              ${beyond(after)}
            ${order}) page
     ${order}`
}

/** One condition per index. */
function matchesOf({ text, id, transaction, addresses = [], account }: DepositSearch) {
  return [
    sql`external_user_id = ${text}`,
    ...(id === undefined ? [] : [sql`id = ${id}::uuid`]),
    ...(transaction === undefined ? [] : [isOfTransaction(transaction)]),
    ...addresses.map((address) => sql`address = ${address}`),
    // Read by the index of the end user, whose other accounts are skipped.
    ...(account === undefined
      ? []
      : [sql`external_user_id = ${account.externalUserId} and account_id = ${account.id}`]),
  ]
}

function isOfTransaction({ hashes, chainIds }: TransactionFilter): RawBuilder<unknown> {
  return sql`txn_hash = any(${hashes}::text[])
       and chain_id = any(${chainIds}::text[])`
}

/** Whether only the chain, or chain and time, select the deposits. */
function isByTokens({ externalUserId, tokenId, status, transaction }: DepositFilter): boolean {
  const isAside = status !== undefined && status !== 'Confirmed'
  return !isAside && [externalUserId, tokenId, transaction].every((part) => part === undefined)
}

/** The first token of which there are deposits on the chain, in the order of ids, after one. */
function nextKind(
  { orgId, chainId }: { orgId: string; chainId: string },
  after: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(
           select d.token_id
             from incoming_transfers d
            where d.org_id = ${orgId}
              and d.purpose = 'deposit'
              and d.chain_id = ${chainId}
              and d.token_id > ${after}
            order by d.token_id
            limit 1)`
}

function conditions(filter: DepositFilter): RawBuilder<unknown> {
  const { externalUserId, tokenId, status, transaction, from, to } = filter
  const chainId = filter.chainId ?? chainOf(tokenId)
  return joinConditions([
    externalUserId !== undefined && sql`and external_user_id = ${externalUserId}`,
    chainId !== undefined && sql`and chain_id = ${chainId}`,
    tokenId !== undefined && sql`and token_id = ${tokenId}`,
    status !== undefined && sql`and status = ${status}`,
    // The planner needs this condition to use the partial index.
    status !== undefined && status !== 'Confirmed' && sql`and status <> 'Confirmed'`,
    transaction !== undefined && sql`and ${isOfTransaction(transaction)}`,
    from !== undefined && sql`and created_at >= ${iso(from)}`,
    to !== undefined && sql`and created_at <= ${iso(to)}`,
  ])
}

/** A token exists on one chain; the index of tokens begins with the chain. */
function chainOf(tokenId: string | undefined): string | undefined {
  return tokenId?.split('/')[0]
}

function beyond(after: Keyset | null): RawBuilder<unknown> {
  if (after === null) return sql``
  return sql`and (created_at, id) < (${iso(after.createdAt)}, ${after.id})`
}
