import { readOwnAddress } from '../../accounts/own-address.ts'
import type { Address, Intent } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import { voidApprovals } from '../approval-rows.ts'
import { judgeWithdrawal } from './judge.ts'
import type { WithdrawalMeans } from './means.ts'
import type { Voided } from '../approve/recount.ts'
import { lockWithdrawals, moveWithdrawal, noteWaiting } from '../rows.ts'
import { payerStandsStill } from './stand-still.ts'
import { alertTampered } from '../tell-tampered.ts'
import { hasWaitedLong, tellWaiting } from './tell-waiting.ts'
import { forgetWaiting, markWaiting } from './waiting-rows.ts'
import { MOVES, type Withdrawal } from '../withdrawal.ts'

type Inspecting = Pick<
  WithdrawalMeans,
  'serviceKey' | 'approvalMaxAgeMs' | 'told' | 'catalogue' | 'entry' | 'gasWaitMs'
>

/**
 * Looks at a pending withdrawal before anything is asked about it: one whose approvals have become
 * void goes back to be approved, one that was tampered with is told to an operator and left
 * standing. Answers with what is to be paid; null where nothing is to be done now.
 */
export async function inspectWithdrawal(
  tx: Tx,
  given: Inspecting,
  { orgId, id }: Pick<Withdrawal, 'orgId' | 'id'>,
): Promise<Intent | null> {
  const withdrawal = await lockPending(tx, { orgId, id })
  if (withdrawal === null) return null
  const { serviceKey, approvalMaxAgeMs: maxAgeMs } = given
  const verdict = await judgeWithdrawal(tx, serviceKey, { withdrawal, maxAgeMs })
  if (verdict.state === 'tampered') {
    await tellOnce(tx, given, { withdrawal, ...verdict })
    await markWaiting(tx, { chainId: withdrawal.chainId, id, waitingFor: 'operator' })
  }
  if (verdict.state === 'short') await recall(tx, { withdrawal, ...verdict })
  if (verdict.state === 'owed') await waitOwed(tx, given, { orgId, id })
  if (verdict.state !== 'good') return null
  const { chainId } = withdrawal
  const from = await readOwnAddress(tx, { orgId, chainId, purpose: 'settlement' })
  if (from === null || (await payerStandsStill(tx, { withdrawal, from }))) return null
  if (withdrawal.waitingFor === 'operator')
    await forgetWaiting(tx, { chainId, id, waitingFor: 'operator' })
  return intentOf(withdrawal, from)
}

/** A withdrawal that is pending and stays so until the commit; null where it is not. */
export async function lockPending(
  tx: Tx,
  { orgId, id }: Pick<Withdrawal, 'orgId' | 'id'>,
): Promise<Withdrawal | null> {
  const [withdrawal] = await lockWithdrawals(tx, { orgId, ids: [id] })
  return withdrawal?.status === 'Pending' ? withdrawal : null
}

/** What a withdrawal's own row says is to be paid. */
export function intentOf(withdrawal: Withdrawal, from: Address): Intent {
  const { chainId, tokenId, amount, recipient: to, memo } = withdrawal
  return { chainId, tokenId, from, to, amount, memo }
}

/** Nothing is given back while more is owed than there is: it waits until that is made good. */
async function waitOwed(
  tx: Tx,
  given: Inspecting,
  { orgId, id }: Pick<Withdrawal, 'orgId' | 'id'>,
): Promise<void> {
  const withdrawal = await noteWaiting(tx, { orgId, id, waitingFor: 'funds' })
  if (withdrawal === null || !hasWaitedLong(tx, given, withdrawal)) return
  await tellWaiting(tx, given, { withdrawal, isOwed: true })
}

/** Void names leave the approvers; as soon as enough approve again, it is released again. */
async function recall(
  tx: Tx,
  { withdrawal, voided }: { withdrawal: Withdrawal; voided: readonly Voided[] },
): Promise<void> {
  const { orgId, id } = withdrawal
  await voidApprovals(tx, { orgId, approvals: voided })
  await moveWithdrawal(tx, { orgId, id, move: MOVES.recall })
}

/** Each process tells it once; the row is looked at in every round. */
async function tellOnce(
  tx: Tx,
  { told }: Pick<WithdrawalMeans, 'told'>,
  { withdrawal, cause }: { withdrawal: Withdrawal; cause: string },
): Promise<void> {
  const { id } = withdrawal
  if (told?.has(id)) return
  tx.afterCommit(() => void told?.add(id))
  await alertTampered(tx, withdrawal, cause)
}
