import { isReservedUntouched } from '../ledger/standing.ts'
import type { Tx } from '../store/database.ts'
import { readSpendsOf } from '../transactions/core/read.ts'
import { wasSignedFor } from '../transactions/core/subject-rows.ts'
import { CHANGED, isGenuine, type Vouching } from './mac.ts'
import type { Withdrawal } from './withdrawal.ts'

/**
 * What shows that a withdrawal which is said not to be signed yet was changed behind the service's
 * back; null for nothing. No MAC covers its status, so that one which went back by itself has to
 * show otherwise: no move leads back from a signature, displaced and failed ones included, and what
 * is over has had its amount taken or given back, which no posting undoes. Which withdrawals were
 * signed for is kept besides, by triggers, in a table that no role can change. To be asked before
 * anything is signed for it, or given back.
 */
export async function findForgery(
  tx: Tx,
  serviceKey: Vouching,
  withdrawal: Withdrawal,
): Promise<string | null> {
  if (!isGenuine(serviceKey, withdrawal)) return CHANGED
  const { orgId, id, amount } = withdrawal
  const spends = await readSpendsOf(tx, { orgId, subjectId: id })
  if (spends.length > 0) return 'it was signed before, and its status says that it was not'
  if (await wasSignedFor(tx, { orgId, withdrawalId: id }))
    return 'it was signed before, and the records of its payment are gone'
  const isWaiting = await isReservedUntouched(tx, { orgId, referenceId: id, amount })
  return isWaiting ? null : 'its amount does not stand reserved as it was when it was asked for'
}
