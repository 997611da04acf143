import { isReservedUntouched } from '../ledger/standing.ts'
import type { Tx } from '../store/database.ts'
import { readSpendsOf } from '../transactions/core/read.ts'
import { wasSignedFor } from '../transactions/core/subject-rows.ts'
import { CHANGED, isAuthentic, type MacKey } from './mac.ts'
import type { Withdrawal } from './withdrawal.ts'

/**
 * Evidence that a withdrawal with an unsigned status was tampered with; null for none. No MAC
 * covers the status, but a reset status is visible: no move leads back from a signature, and a
 * settled withdrawal had its amount paid or released, which no posting undoes. Triggers also record
 * signed withdrawals in a table that no role can change. To be called before a signature or a
 * release.
 */
export async function findForgery(
  tx: Tx,
  serviceKey: MacKey,
  withdrawal: Withdrawal,
): Promise<string | null> {
  if (!isAuthentic(serviceKey, withdrawal)) return CHANGED
  const { orgId, id, amount } = withdrawal
  const spends = await readSpendsOf(tx, { orgId, subjectId: id })
  if (spends.length > 0) return 'it was signed before, and its status says that it was not'
  if (await wasSignedFor(tx, { orgId, withdrawalId: id }))
    return 'it was signed before, and the records of its payment were deleted'
  const isWaiting = await isReservedUntouched(tx, { orgId, referenceId: id, amount })
  return isWaiting ? null : 'its reserved amount is not the amount that was requested'
}
