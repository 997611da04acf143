import { Refusal } from '../../base/fault.ts'
import { isId } from '../../base/id.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import { writeAudit } from '../../journal/write-audit.ts'
import type { Tx } from '../../store/database.ts'
import { refuseUnknown } from './approve.ts'
import { findForgery } from '../find-forgery.ts'
import type { Vouching } from '../mac.ts'
import { tellWithdrawal } from '../payload.ts'
import { releaseAmount } from '../reserve.ts'
import { lockWithdrawals, moveWithdrawal, selectWithdrawal } from '../rows.ts'
import { Tampered } from '../tell-tampered.ts'
import { MOVES, type Move, type Withdrawal } from '../withdrawal.ts'

/** Which withdrawal is called off, and by whom. */
export interface CallingOff {
  catalogue: Catalogue
  orgId: string
  userId: string
  id: string
}

/**
 * Cancels a withdrawal that is not being processed yet, and gives its amount back (section 3.1). Of
 * a cancellation and a signature at once exactly one wins (A10). Refuses with WITHDRAWAL_NOT_FOUND,
 * WITHDRAWAL_NOT_PENDING, and as Tampered.
 */
export async function cancelWithdrawal(
  tx: Tx,
  serviceKey: Vouching,
  given: CallingOff,
): Promise<Withdrawal> {
  const { orgId, id } = given
  const cancelled = isId(id)
    ? await callOff(tx, serviceKey, { ...given, move: MOVES.cancel })
    : null
  if (cancelled !== null) {
    const actor = `user:${given.userId}`
    await writeAudit(tx, { orgId, actor, action: 'withdrawal.cancel', object: id })
    return cancelled
  }
  const standing = isId(id) ? await selectWithdrawal(tx, { orgId, id }) : null
  if (standing === null) return refuseUnknown()
  throw new Refusal('WITHDRAWAL_NOT_PENDING', { id, status: standing.status })
}

/**
 * The guarded move to `Cancelled`, with money and events; null where it may not be made. Refuses as
 * Tampered.
 */
export async function callOff(
  tx: Tx,
  serviceKey: Vouching,
  given: CallingOff & { move: Move },
): Promise<Withdrawal | null> {
  const { catalogue, orgId, userId, id, move } = given
  const txnError = `CANCELLED BY ${userId}`
  // Lock first: a move that waited for somebody's approval would tell of those before it alone.
  await lockWithdrawals(tx, { orgId, ids: [id] })
  const withdrawal = await moveWithdrawal(tx, { orgId, id, move, txnError })
  if (withdrawal === null) return null
  // What is given back is what stands set aside, once: no changed row may make it more.
  const forgery = await findForgery(tx, serviceKey, withdrawal)
  if (forgery !== null) throw new Tampered(withdrawal, forgery)
  tellWithdrawal(tx, 'withdrawal.cancelled', { catalogue, withdrawal })
  await releaseAmount(tx, { catalogue, withdrawal })
  return withdrawal
}
