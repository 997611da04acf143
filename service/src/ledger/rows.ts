import type { ChainId, TokenId } from '@sluice/wire'
import { type RawBuilder, sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import type { Balance, BalanceFilter, BalanceKey, LedgerAccount } from './account.ts'
import type { Drift, Movement, Posting } from './posting.ts'

interface TokenRow {
  chain_id: ChainId
  token_id: TokenId
}

interface KeyRow extends TokenRow {
  org_id: string
  account: LedgerAccount
}

interface BalanceRow extends KeyRow {
  amount: bigint
  overdrawn: boolean
  updated_at: Millis
}

/** Inserts postings in order; the table's trigger updates the balances. */
export async function insertPostings(tx: Tx, postings: readonly Posting[]): Promise<void> {
  await tx.run(sql`
    insert into postings (
           org_id, chain_id, token_id, debit, credit, amount, reason, reversal, reference_id,
           block_height, created_at)
    select org_id, chain_id, token_id, debit, credit, amount, reason, reversal, reference_id,
           block_height, ${iso(tx.clock.now())}::timestamptz
      from unnest(
           ${postings.map((p) => p.orgId)}::uuid[],
           ${postings.map((p) => p.chainId)}::text[],
           ${postings.map((p) => p.tokenId)}::text[],
           ${postings.map((p) => p.debit)}::text[],
           ${postings.map((p) => p.credit)}::text[],
           ${postings.map((p) => p.amount)}::numeric[],
           ${postings.map((p) => p.reason)}::text[],
           ${postings.map((p) => p.reversal)}::boolean[],
           ${postings.map((p) => p.referenceId)}::uuid[],
           ${postings.map((p) => p.blockHeight)}::bigint[])
           with ordinality
           as p (org_id, chain_id, token_id, debit, credit, amount, reason, reversal,
                 reference_id, block_height, place)
     order by place`)
}

/** Whether a statement failed because a balance would have become negative. */
export function isOverdraft(error: unknown): boolean {
  return (
    error instanceof Error && 'constraint' in error && error.constraint === 'balances_not_negative'
  )
}

export async function selectBalances(tx: Tx, filter: BalanceFilter): Promise<Balance[]> {
  const rows = await tx.many(sql<BalanceRow>`
    select org_id, chain_id, token_id, account, amount, overdrawn, updated_at
      from balances
     where ${matches(filter)}
     order by org_id, chain_id, token_id, account`)
  return rows.map(balanceFromRow)
}

export async function selectBalancesOf(tx: Tx, keys: readonly BalanceKey[]): Promise<Balance[]> {
  const rows = await tx.many(sql<BalanceRow>`
    select org_id, chain_id, token_id, account, amount, overdrawn, updated_at
      from unnest(
           ${keys.map(({ orgId }) => orgId)}::uuid[],
           ${keys.map(({ chainId }) => chainId)}::text[],
           ${keys.map(({ tokenId }) => tokenId)}::text[],
           ${keys.map(({ account }) => account)}::text[])
           as k (org_id, chain_id, token_id, account)
      join balances
     using (org_id, chain_id, token_id, account)
     order by org_id, chain_id, token_id, account`)
  return rows.map(balanceFromRow)
}

/** Every token with a balance of an organization, ordered by chain and token. */
export function selectTokens(tx: Tx, orgId: string): Promise<TokenRow[]> {
  return tx.many(tokensQuery(orgId))
}

/**
 * The query of `selectTokens`: steps from token to token through the primary key and reads one row
 * of each, independent of the number of addresses.
 */
export function tokensQuery(orgId: string): RawBuilder<TokenRow> {
  const next = (after: RawBuilder<unknown>) => sql`
           select b.chain_id, b.token_id
             from balances b
            where b.org_id = ${orgId}
              and (b.chain_id, b.token_id) > ${after}
            order by b.chain_id, b.token_id
            limit 1`
  return sql<TokenRow>`
      with recursive kinds (chain_id, token_id) as (
           (${next(sql`('', '')`)})
            union all
           select following.chain_id, following.token_id
             from kinds
            cross join lateral (${next(sql`(kinds.chain_id, kinds.token_id)`)}) following)
    select chain_id, token_id
      from kinds
     order by chain_id, token_id`
}

/** Balances as the sums of the postings. */
export async function selectRecomputed(tx: Tx, filter: BalanceFilter): Promise<Movement[]> {
  const rows = await tx.many(sql<KeyRow & { amount: bigint }>`
    select org_id, chain_id, token_id, account, amount
      from (${recomputed}) p
     where ${matches(filter)}
     order by org_id, chain_id, token_id, account`)
  return rows.map((row) => ({ ...keyOf(row), amount: row.amount }))
}

/** Balances that differ from the sums of the postings, on either side. */
export async function selectDrift(tx: Tx): Promise<Drift[]> {
  const rows = await tx.many(sql<KeyRow & { stored: bigint; posted: bigint }>`
    select org_id, chain_id, token_id, account,
           coalesce(b.amount, 0) as stored, coalesce(p.amount, 0) as posted
      from balances b
      full join (${recomputed}) p
     using (org_id, chain_id, token_id, account)
     where coalesce(b.amount, 0) <> coalesce(p.amount, 0)
     order by org_id, chain_id, token_id, account`)
  return rows.map((row) => ({ ...keyOf(row), stored: row.stored, posted: row.posted }))
}

const recomputed = sql`
    select org_id, chain_id, token_id, account, sum(amount) as amount
      from (select org_id, chain_id, token_id, debit as account,
                   case when debit like 'place:%' then amount else -amount end as amount
              from postings
             union all
            select org_id, chain_id, token_id, credit,
                   case when credit like 'place:%' then -amount else amount end
              from postings) m
     group by org_id, chain_id, token_id, account`

function matches({ orgId, chainId, tokenId, account }: BalanceFilter) {
  const conditions = [
    orgId === undefined ? null : sql`org_id = ${orgId}`,
    chainId === undefined ? null : sql`chain_id = ${chainId}`,
    tokenId === undefined ? null : sql`token_id = ${tokenId}`,
    account === undefined ? null : sql`account = ${account}`,
  ].filter((condition) => condition !== null)
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

function balanceFromRow(row: BalanceRow): Balance {
  return {
    ...keyOf(row),
    amount: row.amount,
    overdrawn: row.overdrawn,
    updatedAt: row.updated_at,
  }
}

function keyOf(row: KeyRow): BalanceKey {
  return {
    orgId: row.org_id,
    chainId: row.chain_id,
    tokenId: row.token_id,
    account: row.account,
  }
}
