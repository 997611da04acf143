import type { ChainId, TokenId } from '@sluice/wire'
import { type RawBuilder, sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import { joinConditions } from '../store/conditions.ts'
import type { LedgerAccount } from './account.ts'
import type { Posting } from './posting.ts'
import { tokensQuery } from './rows.ts'

/** A stored posting. */
export interface LedgerEntry extends Posting {
  /** Increases; gaps are normal. */
  id: number
  createdAt: Millis
}

/** Filters of a list of postings; times in milliseconds. */
export interface EntryFilter {
  chainId?: string
  tokenId?: string
  /** A claim, or `place:<kind>` for the places of a kind. */
  account?: string
  referenceId?: string
  from?: Millis
  to?: Millis
}

/** One page of a list. */
export interface EntryPage {
  orgId: string
  filter: EntryFilter
  after: { createdAt: Millis; id: string } | null
  limit: number
}

interface EntryRow {
  org_id: string
  id: number
  chain_id: ChainId
  token_id: TokenId
  debit: LedgerAccount
  credit: LedgerAccount
  amount: bigint
  reason: string
  reversal: boolean
  reference_id: string
  block_height: number | null
  created_at: Millis
}

/** One page of an organization's postings, newest first, from just after `after`. */
export async function listEntries(tx: Tx, page: EntryPage): Promise<LedgerEntry[]> {
  return (await tx.many(pageQuery(page))).map(entryFromRow)
}

/**
 * Statement of a page. Postings are read token by token, so that one index serves all filters but
 * `account`, which skips the postings of other accounts.
 */
export function pageQuery({ orgId, filter, after, limit }: EntryPage): RawBuilder<EntryRow> {
  const { referenceId, tokenId, chainId } = filter
  const order = sql`
     order by created_at desc, id desc
     limit ${limit}`
  if (referenceId !== undefined)
    return sql<EntryRow>`
    select *
      from postings
     where org_id = ${orgId}
       and reference_id = ${referenceId}::uuid
       ${conditions(filter, after)}
     ${order}`
  return sql<EntryRow>`
      with kinds as (${tokensQuery(orgId)})
    select page.*
      from kinds
     cross join lateral (
           select *
             from postings p
            where p.org_id = ${orgId}
              and p.chain_id = kinds.chain_id
              and p.token_id = kinds.token_id
              ${conditions({ ...filter, chainId: undefined, tokenId: undefined }, after)}
            ${order}) page
     where true
       ${chainId === undefined ? sql`` : sql`and kinds.chain_id = ${chainId}`}
       ${tokenId === undefined ? sql`` : sql`and kinds.token_id = ${tokenId}`}
     ${order}`
}

type Conditions = { [Name in keyof EntryFilter]: EntryFilter[Name] | undefined }

function conditions(
  { chainId, tokenId, account, from, to }: Conditions,
  after: EntryPage['after'],
): RawBuilder<unknown> {
  return joinConditions([
    chainId !== undefined && sql`and chain_id = ${chainId}`,
    tokenId !== undefined && sql`and token_id = ${tokenId}`,
    account !== undefined && isOf(account),
    from !== undefined && sql`and created_at >= ${iso(from)}`,
    to !== undefined && sql`and created_at <= ${iso(to)}`,
    after !== null && sql`and (created_at, id) < (${iso(after.createdAt)}, ${after.id}::bigint)`,
  ])
}

function isOf(account: string): RawBuilder<unknown> {
  if (!account.startsWith('place:')) return sql`and ${account} in (debit, credit)`
  const pattern = `${account}:%`
  return sql`and (debit like ${pattern} or credit like ${pattern})`
}

function entryFromRow(row: EntryRow): LedgerEntry {
  return {
    orgId: row.org_id,
    id: row.id,
    chainId: row.chain_id,
    tokenId: row.token_id,
    debit: row.debit,
    credit: row.credit,
    amount: row.amount,
    reason: row.reason,
    reversal: row.reversal,
    referenceId: row.reference_id,
    blockHeight: row.block_height,
    createdAt: row.created_at,
  }
}
