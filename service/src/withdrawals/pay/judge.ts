import type { Millis } from '../../base/clock.ts'
import type { ServiceKey } from '../../keys/service-key.ts'
import type { Tx } from '../../store/database.ts'
import { findForgery } from '../find-forgery.ts'
import { type Voided, countApprovals } from '../approve/recount.ts'
import { readAvailable } from '../reserve.ts'
import type { Withdrawal } from '../withdrawal.ts'

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
 * for and the postings say (engineering, 6 and 7). A row that went to `Pending` by itself stands
 * out: it was never released by enough, or `findForgery` tells it.
 */
export async function judgeWithdrawal(
  tx: Tx,
  serviceKey: ServiceKey,
  { withdrawal, maxAgeMs }: { withdrawal: Withdrawal; maxAgeMs: Millis },
): Promise<Verdict> {
  const count = await countApprovals(tx, serviceKey, { withdrawal, maxAgeMs })
  if (count.tampered !== null) return { state: 'tampered', cause: count.tampered }
  if (!count.wasEnough)
    return { state: 'tampered', cause: 'it was never approved by as many as it needs' }
  const cause = await findForgery(tx, serviceKey, withdrawal)
  if (cause !== null) return { state: 'tampered', cause }
  if (!count.isEnough) return { state: 'short', voided: count.voided }
  return (await readAvailable(tx, withdrawal)) < 0n ? { state: 'owed' } : { state: 'good' }
}
