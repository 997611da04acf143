import type { TokenId } from '@sluice/wire'
import { sql } from 'kysely'
import type { Tx } from '../store/database.ts'
import type { Claim } from './account.ts'

/** Sum and number of a record's postings on a claim, in base units. */
export async function sumOnClaim(
  tx: Tx,
  query: { orgId: string; referenceId: string; claim: Claim },
): Promise<{ amount: bigint; postings: number }> {
  const { orgId, referenceId, claim } = query
  return tx.one(sql<{ amount: bigint; postings: number }>`
    select coalesce(sum(case when credit = ${claim} then amount else -amount end), 0) as amount,
           count(*)::int as postings
      from postings
     where org_id = ${orgId}
       and reference_id = ${referenceId}
       and ${claim} in (debit, credit)`)
}

/** Sum of several records' postings on a claim, in base units by token. */
export async function sumsOnClaim(
  tx: Tx,
  query: { orgId: string; referenceIds: readonly string[]; claim: Claim },
): Promise<Map<TokenId, bigint>> {
  const { orgId, referenceIds, claim } = query
  const rows = await tx.many(sql<{ tokenId: TokenId; amount: bigint }>`
    select token_id as "tokenId",
           sum(case when credit = ${claim} then amount else -amount end) as amount
      from postings
     where org_id = ${orgId}
       and reference_id = any(${referenceIds}::uuid[])
       and ${claim} in (debit, credit)
     group by token_id`)
  return new Map(rows.map(({ tokenId, amount }) => [tokenId, amount]))
}
