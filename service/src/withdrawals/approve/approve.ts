import { assert } from '../../base/assert.ts'
import type { Millis } from '../../base/clock.ts'
import { Refusal } from '../../base/fault.ts'
import { isId } from '../../base/id.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import { writeAudit } from '../../journal/write-audit.ts'
import type { ServiceKey } from '../../keys/service-key.ts'
import type { Tx } from '../../store/database.ts'
import { insertApproval, voidApprovals } from '../approval-rows.ts'
import { macOfApproval } from '../mac.ts'
import { tellWithdrawal } from '../payload.ts'
import { type Count, countApprovals, type Voided } from './recount.ts'
import { lockWithdrawals, moveWithdrawal } from '../rows.ts'
import { Tampered } from '../tell-tampered.ts'
import { MOVES, type Withdrawal, isProcessed } from '../withdrawal.ts'

/** Who approves, for which organization, and how long an approval counts. */
export interface Approving {
  catalogue: Catalogue
  orgId: string
  userId: string
  maxAgeMs: Millis
}

/** Uses up the approver's code and answers with its step; refuses with INVALID_TOTP. */
export type ConsumeCode = (tx: Tx) => Promise<number>

/** A withdrawal that a consent may be added to, and approvals of it that count no longer. */
export interface Ready {
  withdrawal: Withdrawal
  voided: readonly Voided[]
}

/**
 * Notes a signer's consent, and releases the withdrawal where it is the last one needed (decisions,
 * 6). Who has approved already, the initiator too, changes nothing and needs no code. The code is
 * used up after existence and state were checked. Refuses with WITHDRAWAL_NOT_FOUND,
 * WITHDRAWAL_NOT_PENDING, WITHDRAWAL_ALREADY_PROCESSED, INVALID_TOTP, and as Tampered.
 */
export async function approveWithdrawal(
  tx: Tx,
  serviceKey: ServiceKey,
  given: Approving & { id: string },
  consume: ConsumeCode,
): Promise<Withdrawal> {
  const { orgId, id } = given
  const [withdrawal] = isId(id) ? await lockWithdrawals(tx, { orgId, ids: [id] }) : []
  const ready = await readyFor(tx, serviceKey, { ...given, withdrawal })
  if (ready === null) return withdrawal ?? refuseUnknown()
  const totpStep = await consume(tx)
  return addApproval(tx, serviceKey, { ...given, ready, totpStep })
}

/**
 * The withdrawal, where an approval of this user changes something: also of one whose own approval
 * has become void in the meantime. Null where it stands already. Refuses as `approveWithdrawal`
 * does, the code aside.
 */
export async function readyFor(
  tx: Tx,
  serviceKey: ServiceKey,
  given: Approving & { withdrawal: Withdrawal | undefined },
): Promise<Ready | null> {
  const { withdrawal, userId, maxAgeMs } = given
  if (withdrawal === undefined) return refuseUnknown()
  const { id, status } = withdrawal
  const approved = withdrawal.approvers.includes(userId)
  if (status === 'PendingApproval') {
    const { voided } = await countGenuine(tx, serviceKey, { withdrawal, maxAgeMs })
    const counts = approved && !voided.some((one) => one.userId === userId)
    return counts ? null : { withdrawal, voided }
  }
  if (status === 'Cancelled' || !approved) refuseOver({ id, status })
  // Nobody is to hear that an approval stands which somebody else wrote down.
  if (status === 'Pending') await countGenuine(tx, serviceKey, { withdrawal, maxAgeMs })
  return null
}

/** Refuses with the code that says how far a withdrawal has come. */
export function refuseOver({ id, status }: Pick<Withdrawal, 'id' | 'status'>): never {
  const code = isProcessed({ status }) ? 'WITHDRAWAL_ALREADY_PROCESSED' : 'WITHDRAWAL_NOT_PENDING'
  throw new Refusal(code, { id, status })
}

/** What there is none of, or what is another organization's (decisions, 4). */
export function refuseUnknown(): never {
  throw new Refusal('WITHDRAWAL_NOT_FOUND')
}

/** Adds a consent whose code was used up, counts, and releases where it was the last one needed. */
export async function addApproval(
  tx: Tx,
  serviceKey: ServiceKey,
  given: Approving & { ready: Ready; totpStep: number },
): Promise<Withdrawal> {
  const { orgId, userId, totpStep, maxAgeMs } = given
  const { withdrawal, voided } = given.ready
  await voidApprovals(tx, { orgId, approvals: voided })
  const createdAt = tx.clock.now()
  const approval = {
    orgId,
    id: tx.ids.next(),
    withdrawalId: withdrawal.id,
    userId,
    totpStep,
    createdAt,
  }
  await insertApproval(tx, { ...approval, mac: macOfApproval(serviceKey, approval, withdrawal) })
  const actor = `user:${userId}`
  await writeAudit(tx, { orgId, actor, action: 'withdrawal.approve', object: withdrawal.id })
  const { isEnough } = await countGenuine(tx, serviceKey, { withdrawal, maxAgeMs })
  return settleCount(tx, { ...given, id: withdrawal.id, isEnough })
}

async function countGenuine(
  tx: Tx,
  serviceKey: ServiceKey,
  given: { withdrawal: Withdrawal; maxAgeMs: Millis },
): Promise<Count> {
  const count = await countApprovals(tx, serviceKey, given)
  if (count.tampered !== null) throw new Tampered(given.withdrawal, count.tampered)
  return count
}

async function settleCount(
  tx: Tx,
  given: Approving & { id: string; isEnough: boolean },
): Promise<Withdrawal> {
  const { catalogue, orgId, id, isEnough } = given
  const move = isEnough ? MOVES.release : MOVES.approve
  const withdrawal = await moveWithdrawal(tx, { orgId, id, move })
  assert(withdrawal !== null, 'a locked withdrawal moved by itself', { id })
  if (isEnough) tellWithdrawal(tx, 'withdrawal.approved', { catalogue, withdrawal })
  return withdrawal
}
