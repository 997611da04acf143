import { ERRORS, type ErrorCode, messageOf } from '@sluice/wire'
import { assert } from '../../base/assert.ts'
import type { Millis } from '../../base/clock.ts'
import { Refusal } from '../../base/fault.ts'
import { isId } from '../../base/id.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import { writeAudit } from '../../audit-log/write-audit.ts'
import type { ServiceKey } from '../../keys/service-key.ts'
import type { Tx } from '../../store/database.ts'
import { insertApproval, voidApprovals } from '../approval-rows.ts'
import { macOfApproval } from '../mac.ts'
import { emitWithdrawal } from '../payload.ts'
import { type Count, countApprovals, type Voided } from './recount.ts'
import { lockWithdrawals, moveWithdrawal } from '../rows.ts'
import { Tampered } from '../tampered.ts'
import { type Approval, MOVES, type Withdrawal, isProcessed } from '../withdrawal.ts'

/** An approver, and how long an approval counts. */
export interface Approving {
  catalogue: Catalogue
  orgId: string
  userId: string
  maxAgeMs: Millis
}

/** Uses up the approver's code and returns its time step. Refuses with INVALID_TOTP. */
export type ConsumeCode = (tx: Tx) => Promise<number>

/** What an approver proved an approval with. */
export type Proof = Pick<Approval, 'totpStep' | 'passkeyId'>

/**
 * Uses up the approver's code, or verifies the signature of a passkey over the withdrawal. Refuses
 * with INVALID_TOTP and INVALID_PASSKEY.
 */
export type Prove = (tx: Tx, withdrawal: Withdrawal) => Promise<Proof>

/** Proves approvals with a one-time code. */
export function proveByCode(consume: ConsumeCode): Prove {
  return async (tx) => ({ totpStep: await consume(tx), passkeyId: null })
}

/** A withdrawal that an approval changes, and its void approvals. */
interface Ready {
  withdrawal: Withdrawal
  voided: readonly Voided[]
}

/** Withdrawals that one code approves at most. */
const APPROVED_TOGETHER_MAX = 100

/** The outcome of approving several withdrawals. */
export interface ApprovedTogether {
  withdrawals: Withdrawal[]
  refused: { id: string; error: ErrorCode; message: string }[]
  /** Refused withdrawals that were tampered with, for `raiseTampered`. */
  tampered: Tampered[]
}

/**
 * Records a signer's approval, and releases the withdrawal if it is the last one needed (decisions,
 * 6). An approval that counts already, the initiator's too, changes nothing and needs no proof. The
 * proof is checked after existence and state. Refuses with WITHDRAWAL_NOT_FOUND,
 * WITHDRAWAL_NOT_PENDING, WITHDRAWAL_ALREADY_PROCESSED, as `prove` does, and as Tampered.
 */
export async function approveWithdrawal(
  tx: Tx,
  serviceKey: ServiceKey,
  { id, ...approving }: Approving & { id: string },
  prove: Prove,
): Promise<Withdrawal> {
  const [outcome] = await approveEach(tx, serviceKey, { ...approving, ids: [id] }, prove)
  assert(outcome !== undefined, 'an approval without an outcome', { id })
  if (outcome instanceof Refusal) throw outcome
  return outcome
}

/**
 * Approves several withdrawals with one code (engineering, 27), in the order of their ids. One that
 * cannot be approved is reported in `refused` and stops none of the others; the code is used up
 * only if one can. Refuses with BAD_REQUEST (no id, too many, one twice) and INVALID_TOTP.
 */
export async function approveWithdrawals(
  tx: Tx,
  serviceKey: ServiceKey,
  approving: Approving & { ids: readonly string[] },
  consume: ConsumeCode,
): Promise<ApprovedTogether> {
  const { ids } = approving
  checkIds(ids)
  const together: ApprovedTogether = { withdrawals: [], refused: [], tampered: [] }
  const outcomes = await approveEach(tx, serviceKey, approving, proveByCode(consume))
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome instanceof Tampered) together.tampered.push(outcome)
    if (outcome instanceof Refusal) together.refused.push(refusedAs(ids[at] ?? '', outcome))
    else together.withdrawals.push(outcome)
  }
  return together
}

/** An outcome for each id; the first that an approval changes needs the proof. */
async function approveEach(
  tx: Tx,
  serviceKey: ServiceKey,
  approving: Approving & { ids: readonly string[] },
  prove: Prove,
): Promise<(Withdrawal | Refusal)[]> {
  const { orgId, ids } = approving
  const locked = await lockWithdrawals(tx, { orgId, ids: ids.filter(isId) })
  const byId = new Map(locked.map((withdrawal) => [withdrawal.id, withdrawal]))
  const outcomes: (Withdrawal | Refusal)[] = []
  let proof: Proof | null = null
  for (const id of ids) {
    const ready = await readyOrRefusal(tx, serviceKey, { ...approving, withdrawal: byId.get(id) })
    if (ready instanceof Refusal || !('voided' in ready)) {
      outcomes.push(ready)
      continue
    }
    proof ??= await prove(tx, ready.withdrawal)
    outcomes.push(await addApproval(tx, serviceKey, { ...approving, ready, proof }))
  }
  return outcomes
}

function checkIds(ids: readonly string[]): void {
  const fits = ids.length > 0 && ids.length <= APPROVED_TOGETHER_MAX
  if (fits && new Set(ids).size === ids.length) return
  throw new Refusal(
    'BAD_REQUEST',
    { field: 'ids', maximum: APPROVED_TOGETHER_MAX },
    `ids names 1 to ${APPROVED_TOGETHER_MAX} withdrawals, each once.`,
  )
}

function refusedAs(id: string, { code, says }: Refusal): ApprovedTogether['refused'][number] {
  return { id: id.slice(0, 100), error: code, message: says ?? messageOf(ERRORS[code]) }
}

async function readyOrRefusal(
  tx: Tx,
  serviceKey: ServiceKey,
  approving: Approving & { withdrawal: Withdrawal | undefined },
): Promise<Ready | Withdrawal | Refusal> {
  try {
    return await readyFor(tx, serviceKey, approving)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/**
 * Returns the withdrawal as `Ready` if an approval of this user changes it, also if their earlier
 * one is void; otherwise the withdrawal itself. Refuses as `approveWithdrawal`, except for the
 * code.
 */
async function readyFor(
  tx: Tx,
  serviceKey: ServiceKey,
  approving: Approving & { withdrawal: Withdrawal | undefined },
): Promise<Ready | Withdrawal> {
  const { withdrawal, userId, maxAgeMs } = approving
  if (withdrawal === undefined) return refuseUnknown()
  const { id, status } = withdrawal
  const isApprover = withdrawal.approvers.includes(userId)
  if (status === 'PendingApproval') {
    const { voided } = await countAuthentic(tx, serviceKey, { withdrawal, maxAgeMs })
    const counts = isApprover && !voided.some((approval) => approval.userId === userId)
    return counts ? withdrawal : { withdrawal, voided }
  }
  if (status === 'Cancelled' || !isApprover) refuseOver({ id, status })
  // A forged approval must not be confirmed to the user in whose name it was written.
  if (status === 'Pending') await countAuthentic(tx, serviceKey, { withdrawal, maxAgeMs })
  return withdrawal
}

/** Refuses with the code for the status of a withdrawal. */
export function refuseOver({ id, status }: Pick<Withdrawal, 'id' | 'status'>): never {
  const code = isProcessed({ status }) ? 'WITHDRAWAL_ALREADY_PROCESSED' : 'WITHDRAWAL_NOT_PENDING'
  throw new Refusal(code, { id, status })
}

/** Refuses an unknown withdrawal, or one of another organization (decisions, 4). */
export function refuseUnknown(): never {
  throw new Refusal('WITHDRAWAL_NOT_FOUND')
}

/** Adds an approval that was proved, and releases the withdrawal if it was the last needed. */
async function addApproval(
  tx: Tx,
  serviceKey: ServiceKey,
  approving: Approving & { ready: Ready; proof: Proof },
): Promise<Withdrawal> {
  const { orgId, userId, proof, maxAgeMs } = approving
  const { withdrawal, voided } = approving.ready
  await voidApprovals(tx, { orgId, approvals: voided })
  const createdAt = tx.clock.now()
  const approval = {
    orgId,
    id: tx.ids.next(),
    withdrawalId: withdrawal.id,
    userId,
    ...proof,
    createdAt,
  }
  await insertApproval(tx, { ...approval, mac: macOfApproval(serviceKey, approval, withdrawal) })
  const actor = `user:${userId}`
  const { passkeyId } = proof
  const details = passkeyId === null ? { method: 'totp' } : { method: 'passkey', passkeyId }
  const object = withdrawal.id
  await writeAudit(tx, { orgId, actor, action: 'withdrawal.approve', object, details })
  const { isEnough } = await countAuthentic(tx, serviceKey, { withdrawal, maxAgeMs })
  return settleCount(tx, { ...approving, id: withdrawal.id, isEnough })
}

async function countAuthentic(
  tx: Tx,
  serviceKey: ServiceKey,
  { withdrawal, maxAgeMs }: { withdrawal: Withdrawal; maxAgeMs: Millis },
): Promise<Count> {
  const count = await countApprovals(tx, serviceKey, { withdrawal, maxAgeMs })
  if (count.tampered !== null) throw new Tampered(withdrawal, count.tampered)
  return count
}

async function settleCount(
  tx: Tx,
  { catalogue, orgId, id, isEnough }: Approving & { id: string; isEnough: boolean },
): Promise<Withdrawal> {
  const move = isEnough ? MOVES.release : MOVES.approve
  const withdrawal = await moveWithdrawal(tx, { orgId, id, move })
  assert(withdrawal !== null, 'a locked withdrawal moved by itself', { id })
  if (isEnough) emitWithdrawal(tx, 'withdrawal.approved', { catalogue, withdrawal })
  return withdrawal
}
