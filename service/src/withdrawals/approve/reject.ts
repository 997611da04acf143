import { assert } from '../../base/assert.ts'
import { Refusal } from '../../base/fault.ts'
import { isId } from '../../base/id.ts'
import { writeAudit } from '../../audit-log/write-audit.ts'
import type { Tx } from '../../store/database.ts'
import { type ConsumeCode, refuseOver, refuseUnknown } from './approve.ts'
import { type Cancellation, moveToCancelled } from './cancel.ts'
import { noteRejection } from '../decision-rows.ts'
import type { MacKey } from '../mac.ts'
import { lockWithdrawals } from '../rows.ts'
import { MOVES, type Withdrawal } from '../withdrawal.ts'

const REASON_LENGTH_MAX = 500
/** Controls, and halves of surrogate pairs, which no encoding can carry. */
const NOT_IN_A_REASON = /[\p{Cc}\p{Cs}]/u

/**
 * Rejects a withdrawal that waits for approvals: cancels it, and writes the reason into the audit
 * log (decisions, 6). Refuses with BAD_REQUEST (reason), WITHDRAWAL_NOT_FOUND,
 * WITHDRAWAL_NOT_PENDING, WITHDRAWAL_ALREADY_PROCESSED, INVALID_TOTP, and as Tampered.
 */
export async function rejectWithdrawal(
  tx: Tx,
  serviceKey: MacKey,
  cancellation: Cancellation & { reason: string; actor: string },
  consume: ConsumeCode,
): Promise<Withdrawal> {
  const { orgId, id, actor } = cancellation
  const reason = parseReason(cancellation.reason)
  const [standing] = isId(id) ? await lockWithdrawals(tx, { orgId, ids: [id] }) : []
  if (standing === undefined) return refuseUnknown()
  if (standing.status !== 'PendingApproval') refuseOver(standing)
  await consume(tx)
  const rejected = await moveToCancelled(tx, serviceKey, { ...cancellation, move: MOVES.reject })
  assert(rejected !== null, 'a locked withdrawal changed its status', { id })
  await noteRejection(tx, { orgId, id, reason })
  const details = { reason, reference: rejected.reference }
  await writeAudit(tx, { orgId, actor, action: 'withdrawal.reject', object: id, details })
  return rejected
}

function parseReason(text: string): string {
  if (Array.from(text).length <= REASON_LENGTH_MAX && !NOT_IN_A_REASON.test(text)) return text
  throw new Refusal(
    'BAD_REQUEST',
    { field: 'reason', maximum: REASON_LENGTH_MAX },
    `reason has at most ${REASON_LENGTH_MAX} characters and no control characters.`,
  )
}
