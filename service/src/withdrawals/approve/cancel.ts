import { Refusal } from '../../base/fault.ts'
import { isId } from '../../base/id.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import { writeAudit } from '../../audit-log/write-audit.ts'
import type { Tx } from '../../store/database.ts'
import { refuseUnknown } from './approve.ts'
import { findForgery } from '../find-forgery.ts'
import type { MacKey } from '../mac.ts'
import { emitWithdrawal } from '../payload.ts'
import { releaseAmount } from '../reserve.ts'
import { lockWithdrawals, moveWithdrawal, selectWithdrawal } from '../rows.ts'
import { Tampered } from '../tampered.ts'
import { MOVES, type Move, type Withdrawal } from '../withdrawal.ts'

/** A withdrawal to cancel or reject, and the user who does it. */
export interface Cancellation {
  catalogue: Catalogue
  orgId: string
  userId: string
  id: string
}

/**
 * Cancels a withdrawal that is not processed yet, and releases its amount (section 3.1). If a
 * signature runs at the same time, exactly one of the two succeeds (A10). Refuses with
 * WITHDRAWAL_NOT_FOUND, WITHDRAWAL_NOT_PENDING, and as Tampered.
 */
export async function cancelWithdrawal(
  tx: Tx,
  serviceKey: MacKey,
  cancellation: Cancellation,
): Promise<Withdrawal> {
  const { orgId, id } = cancellation
  const cancelled = isId(id)
    ? await moveToCancelled(tx, serviceKey, { ...cancellation, move: MOVES.cancel })
    : null
  if (cancelled !== null) {
    const actor = `user:${cancellation.userId}`
    await writeAudit(tx, { orgId, actor, action: 'withdrawal.cancel', object: id })
    return cancelled
  }
  const standing = isId(id) ? await selectWithdrawal(tx, { orgId, id }) : null
  if (standing === null) return refuseUnknown()
  throw new Refusal('WITHDRAWAL_NOT_PENDING', { id, status: standing.status })
}

/**
 * Moves a withdrawal to `Cancelled`, releases its amount and emits the event. Returns null if its
 * status does not permit the move. Refuses as Tampered.
 */
export async function moveToCancelled(
  tx: Tx,
  serviceKey: MacKey,
  cancellation: Cancellation & { move: Move },
): Promise<Withdrawal | null> {
  const { catalogue, orgId, userId, id, move } = cancellation
  const txnError = `CANCELLED BY ${userId}`
  // Lock first: a move that waited for an approval would emit the approvers from before it.
  await lockWithdrawals(tx, { orgId, ids: [id] })
  const withdrawal = await moveWithdrawal(tx, { orgId, id, move, txnError })
  if (withdrawal === null) return null
  // A changed row must not release more than what is reserved, or release it twice.
  const forgery = await findForgery(tx, serviceKey, withdrawal)
  if (forgery !== null) throw new Tampered(withdrawal, forgery)
  emitWithdrawal(tx, 'withdrawal.cancelled', { catalogue, withdrawal })
  await releaseAmount(tx, { catalogue, withdrawal })
  return withdrawal
}
