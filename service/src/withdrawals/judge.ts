import type { Millis } from '../base/clock.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import { reservedFor } from '../ledger/standing.ts'
import { readSpendsOf } from '../spends/read.ts'
import type { Tx } from '../store/database.ts'
import { type Voided, countApprovals } from './recount.ts'
import { readAvailable } from './reserve.ts'
import type { Withdrawal } from './withdrawal.ts'

/** Whether a pending withdrawal may be signed. */
export type Verdict =
  | { state: 'good' }
  /** It, or what stands for it, was changed behind the service's back: nothing is signed (A13). */
  | { state: 'tampered'; cause: string }
  /** Approvals that released it count no longer: it has to be approved again (A11, A17). */
  | { state: 'short'; voided: readonly Voided[] }
  /** The organization's balance is below zero: what is reserved is not all there (A20). */
  | { state: 'owed' }

/**
 * Judges a withdrawal of which the row is `Pending`, on nothing but what the service key vouches
 * for and the postings say (engineering, 6 and 7). A row that went back to `Pending` by itself
 * stands out: it was never released by enough, or its amount is no longer reserved.
 */
export async function judgeWithdrawal(
  tx: Tx,
  serviceKey: ServiceKey,
  { withdrawal, maxAgeMs }: { withdrawal: Withdrawal; maxAgeMs: Millis },
): Promise<Verdict> {
  const { orgId, id: referenceId, amount } = withdrawal
  const count = await countApprovals(tx, serviceKey, { withdrawal, maxAgeMs })
  if (count.tampered !== null) return { state: 'tampered', cause: count.tampered }
  if (!count.wasEnough)
    return { state: 'tampered', cause: 'it was never approved by as many as it needs' }
  const spends = await readSpendsOf(tx, { orgId, subjectId: withdrawal.id })
  if (spends.length > 0)
    return { state: 'tampered', cause: 'it was signed before, and is pending again' }
  const reserved = await reservedFor(tx, { orgId, referenceId })
  if (reserved !== amount) return { state: 'tampered', cause: 'its amount does not stand reserved' }
  if (!count.isEnough) return { state: 'short', voided: count.voided }
  return (await readAvailable(tx, withdrawal)) < 0n ? { state: 'owed' } : { state: 'good' }
}
