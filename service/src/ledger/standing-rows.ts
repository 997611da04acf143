import { sql } from 'kysely'
import type { Tx } from '../store/database.ts'
import type { Claim } from './account.ts'

/** What the postings of one record come to on a claim, in base units, and how many they are. */
export async function sumOnClaim(
  tx: Tx,
  given: { orgId: string; referenceId: string; claim: Claim },
): Promise<{ amount: bigint; postings: number }> {
  const { orgId, referenceId, claim } = given
  return tx.one(sql<{ amount: bigint; postings: number }>`
    select coalesce(sum(case when credit = ${claim} then amount else -amount end), 0) as amount,
           count(*)::int as postings
      from postings
     where org_id = ${orgId}
       and reference_id = ${referenceId}
       and ${claim} in (debit, credit)`)
}
