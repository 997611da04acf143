import { sql } from 'kysely'
import type { Tx } from '../store/database.ts'
import type { Claim } from './account.ts'

/** What the postings of one record come to on a claim, in base units. */
export async function sumOnClaim(
  tx: Tx,
  given: { orgId: string; referenceId: string; claim: Claim },
): Promise<bigint> {
  const { orgId, referenceId, claim } = given
  const { amount } = await tx.one(sql<{ amount: bigint }>`
    select coalesce(sum(case when credit = ${claim} then amount else -amount end), 0) as amount
      from postings
     where org_id = ${orgId}
       and reference_id = ${referenceId}
       and ${claim} in (debit, credit)`)
  return amount
}
