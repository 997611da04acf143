import type { WithdrawalStatus } from '@sluice/wire'
import { type RawBuilder, sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import { joinConditions } from '../store/conditions.ts'
import { approversColumn, fromRow, type WithdrawalRow } from './rows.ts'
import type { Withdrawal } from './withdrawal.ts'

/** Filters of a list of withdrawals (decisions, section 9); times are milliseconds. */
export interface WithdrawalFilter {
  /** Any of these. */
  statuses?: readonly WithdrawalStatus[]
  chainId?: string
  tokenId?: string
  recipient?: RecipientFilter
  /** One transaction hash, in its spellings. */
  hashes?: readonly string[]
  /** Its id, reference, end user, recipient or transaction. */
  search?: { text: string; id?: string; recipient?: RecipientFilter; hashes?: readonly string[] }
  reference?: string
  externalUserId?: string
  /** The id of the user who created it. */
  initiator?: string
  from?: Millis
  to?: Millis
}

/** One address in its spellings, and the tag that it names, if any. */
export interface RecipientFilter {
  addresses: readonly string[]
  tag?: string
}

/** A place in the order of a list: creation, then id. */
export interface Keyset {
  createdAt: Millis
  id: string
}

/** A page of a list. */
export interface PageAsked {
  orgId: string
  filter: WithdrawalFilter
  after: Keyset | null
  limit: number
}

/** One page, newest first, from just after `after`. */
export async function selectPage(tx: Tx, asked: PageAsked): Promise<Withdrawal[]> {
  return (await tx.many(pageQuery(asked))).map(fromRow)
}

/**
 * The statement of a page. With any single filter it reads only the rows of the page, except for
 * `initiator`, which has no index and is for operators. Each of several statuses or matches of a
 * search is read by its own index.
 */
export function pageQuery({ orgId, filter, after, limit }: PageAsked): RawBuilder<WithdrawalRow> {
  const order = sql`
     order by w.created_at desc, w.id desc
     limit ${limit}`
  const pages = partsOf(filter).map(
    (part) => sql`
    select w.*
      from withdrawals w
     where w.org_id = ${orgId}
       ${part}
       ${conditions(filter)}
       ${beyond(after)}
     ${order}`,
  )
  const [only] = pages
  if (only !== undefined && pages.length === 1)
    return sql<WithdrawalRow>`select w.*, ${approversColumn} from (${only}) w ${order}`
  const joined = sql.join(
    pages.map((page) => sql`(${page})`),
    sql` union all `,
  )
  return sql<WithdrawalRow>`
    select w.*, ${approversColumn}
      from (select distinct on (created_at, id) w.*
              from (${joined}) w
             ${order}) w
     ${order}`
}

/** Alternative conditions: a row meets at least one. */
function partsOf({ search, statuses }: WithdrawalFilter): RawBuilder<unknown>[] {
  if (search === undefined) return (statuses ?? []).length === 0 ? [sql``] : statusParts(statuses)
  const { text, id, recipient, hashes } = search
  const matches = [
    sql`w.reference = ${text}`,
    sql`w.external_user_id = ${text}`,
    ...(id === undefined ? [] : [sql`w.id = ${id}::uuid`]),
    ...(recipient === undefined ? [] : [paysTo(recipient)]),
    ...(hashes === undefined ? [] : [hasHash(hashes)]),
  ]
  return matches.map((match) => sql`and ${match}`)
}

function statusParts(statuses: readonly WithdrawalStatus[] = []): RawBuilder<unknown>[] {
  return statuses.map((status) =>
    // The planner needs the second condition to use the partial index without `Completed`.
    status === 'Completed'
      ? sql`and w.status = 'Completed'`
      : sql`and w.status = ${status} and w.status <> 'Completed'`,
  )
}

function paysTo({ addresses, tag }: RecipientFilter): RawBuilder<unknown> {
  const memo = tag === undefined ? sql`` : sql`and w.memo = ${tag}`
  return sql`w.recipient = any(${addresses}::text[]) ${memo}`
}

function hasHash(hashes: readonly string[]): RawBuilder<unknown> {
  return sql`w.txn_hash = any(${hashes}::text[])`
}

function conditions(filter: WithdrawalFilter): RawBuilder<unknown> {
  return joinConditions([
    filter.search !== undefined &&
      filter.statuses !== undefined &&
      sql`and w.status = any(${filter.statuses}::text[])`,
    filter.chainId !== undefined && sql`and w.chain_id = ${filter.chainId}`,
    filter.tokenId !== undefined && sql`and w.token_id = ${filter.tokenId}`,
    filter.recipient !== undefined && sql`and ${paysTo(filter.recipient)}`,
    filter.hashes !== undefined && sql`and ${hasHash(filter.hashes)}`,
    filter.reference !== undefined && sql`and w.reference = ${filter.reference}`,
    filter.externalUserId !== undefined && sql`and w.external_user_id = ${filter.externalUserId}`,
    filter.initiator !== undefined && sql`and w.initiator = ${filter.initiator}`,
    filter.from !== undefined && sql`and w.created_at >= ${iso(filter.from)}`,
    filter.to !== undefined && sql`and w.created_at <= ${iso(filter.to)}`,
  ])
}

function beyond(after: Keyset | null): RawBuilder<unknown> {
  if (after === null) return sql``
  return sql`and (w.created_at, w.id) < (${iso(after.createdAt)}, ${after.id})`
}
