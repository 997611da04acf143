import { reservedFor } from '../../ledger/standing.ts'
import type { ReplacementCheck } from '../../transactions/core/fates.ts'
import type { Tx } from '../../store/database.ts'
import { intentOf } from './inspect.ts'
import { CHANGED, isGenuine } from '../mac.ts'
import { lockWithdrawals } from '../rows.ts'

/**
 * What forbids to sign once more for a payment that waits: the withdrawal was never asked for so,
 * or nothing stands reserved for it any more, because it was paid or given back. After a reorg of
 * its block the amount is reserved again, whatever its status. Rows of the spends room alone may
 * have been changed by somebody who writes to the database, and only the bytes of nonces bind a
 * payment to its first signature (A13, A19).
 */
export async function objectionTo(
  tx: Tx,
  { spend, intent, showsMemo, serviceKey }: ReplacementCheck,
): Promise<string | null> {
  const { orgId, subjectId: id } = spend
  const [withdrawal] = await lockWithdrawals(tx, { orgId, ids: [id] })
  if (withdrawal === undefined) return 'there is no withdrawal that asked for it'
  if (!isGenuine(serviceKey, withdrawal)) return `of the withdrawal ${id}, ${CHANGED}`
  const asked = intentOf(withdrawal, intent.from)
  const isSame =
    asked.chainId === intent.chainId &&
    asked.tokenId === intent.tokenId &&
    asked.to === intent.to &&
    asked.amount === intent.amount &&
    (!showsMemo || (asked.memo ?? '') === (intent.memo ?? ''))
  if (!isSame) return `the withdrawal ${id} asked for another payment`
  const reserved = await reservedFor(tx, { orgId, referenceId: id })
  return reserved === asked.amount ? null : `nothing stands reserved for the withdrawal ${id}`
}
