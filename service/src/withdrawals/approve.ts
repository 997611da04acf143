import { assert } from '../base/assert.ts'
import type { Millis } from '../base/clock.ts'
import { Refusal } from '../base/fault.ts'
import { isId } from '../base/id.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { writeAudit } from '../journal/write-audit.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Tx } from '../store/database.ts'
import { insertApproval, voidApprovals } from './approval-rows.ts'
import { isGenuine, macOfApproval } from './mac.ts'
import { tellWithdrawal } from './payload.ts'
import { type Count, countApprovals } from './recount.ts'
import { lockWithdrawals, moveWithdrawal } from './rows.ts'
import { MOVES, type Withdrawal, isProcessed } from './withdrawal.ts'

/** Who approves, for which organization, and how long an approval counts. */
export interface Approving {
  catalogue: Catalogue
  orgId: string
  userId: string
  maxAgeMs: Millis
}

/** Uses up the approver's code and answers with its step; refuses with INVALID_TOTP. */
export type ConsumeCode = (tx: Tx) => Promise<number>

/**
 * Notes a signer's consent, and releases the withdrawal where it is the last one needed (decisions,
 * 6). Who has approved already, the initiator too, changes nothing and needs no code. The code is
 * used up after existence and state were checked. Refuses with WITHDRAWAL_NOT_FOUND,
 * WITHDRAWAL_NOT_PENDING, WITHDRAWAL_ALREADY_PROCESSED and INVALID_TOTP.
 */
export async function approveWithdrawal(
  tx: Tx,
  serviceKey: ServiceKey,
  given: Approving & { id: string },
  consume: ConsumeCode,
): Promise<Withdrawal> {
  const { orgId, userId, id } = given
  const [withdrawal] = isId(id) ? await lockWithdrawals(tx, { orgId, ids: [id] }) : []
  const ready = await readyFor(tx, serviceKey, { ...given, withdrawal })
  if (ready === null) return withdrawal ?? refuseUnknown()
  const totpStep = await consume(tx)
  return addApproval(tx, serviceKey, { ...given, withdrawal: ready, userId, totpStep })
}

/**
 * The withdrawal, where an approval of this user changes something; null where it stands already.
 * Refuses as `approveWithdrawal` does, the code aside.
 */
export async function readyFor(
  tx: Tx,
  serviceKey: ServiceKey,
  given: Approving & { withdrawal: Withdrawal | undefined },
): Promise<Withdrawal | null> {
  const { withdrawal, userId } = given
  if (withdrawal === undefined) return refuseUnknown()
  const { id, status } = withdrawal
  const approved = withdrawal.approvers.includes(userId)
  if (status === 'PendingApproval') return approved ? refreshed(tx, serviceKey, given) : withdrawal
  if (status === 'Cancelled' || !approved) refuseOver({ id, status })
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

/** A signer whose own approval has become void in the meantime may give it again. */
async function refreshed(
  tx: Tx,
  serviceKey: ServiceKey,
  given: Approving & { withdrawal: Withdrawal | undefined },
): Promise<Withdrawal | null> {
  const { withdrawal, userId, maxAgeMs } = given
  if (withdrawal === undefined) return null
  const { voided } = await countApprovals(tx, serviceKey, { withdrawal, maxAgeMs })
  return voided.some((one) => one.userId === userId) ? withdrawal : null
}

/** Adds a consent whose code was used up, counts, and releases where it was the last one needed. */
export async function addApproval(
  tx: Tx,
  serviceKey: ServiceKey,
  given: Approving & { withdrawal: Withdrawal; totpStep: number },
): Promise<Withdrawal> {
  const { orgId, userId, withdrawal, totpStep, maxAgeMs } = given
  assert(isGenuine(serviceKey, withdrawal), 'a withdrawal was changed in the database', {
    id: withdrawal.id,
  })
  const before = await countApprovals(tx, serviceKey, { withdrawal, maxAgeMs })
  await voidApprovals(tx, { orgId, approvals: before.voided })
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
  const count = await countApprovals(tx, serviceKey, { withdrawal, maxAgeMs })
  return settleCount(tx, { ...given, count })
}

async function settleCount(
  tx: Tx,
  given: Approving & { withdrawal: Withdrawal; count: Count },
): Promise<Withdrawal> {
  const { catalogue, orgId, count } = given
  const { id } = given.withdrawal
  assert(count.tampered === null, 'the approvals of a withdrawal were changed', { id, ...count })
  const move = count.isEnough ? MOVES.release : MOVES.approve
  const withdrawal = await moveWithdrawal(tx, { orgId, id, move })
  assert(withdrawal !== null, 'a locked withdrawal moved by itself', { id })
  if (count.isEnough) tellWithdrawal(tx, 'withdrawal.approved', { catalogue, withdrawal })
  return withdrawal
}
