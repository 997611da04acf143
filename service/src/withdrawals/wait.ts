import { hasGasWallets } from '../catalogue/chains.ts'
import type { Tx } from '../store/database.ts'
import { failWithdrawal } from './fail.ts'
import { findForgery } from './find-forgery.ts'
import { lockPending } from './inspect.ts'
import type { WithdrawalMeans } from './means.ts'
import { noteWaiting } from './rows.ts'
import { type FailureCode, type Move, type WaitingFor, type Withdrawal } from './withdrawal.ts'

/** Nothing is signed yet: only from here a refusal may end it. */
const UNSIGNED: Move = { from: ['Pending'], to: 'Failed' }

/**
 * Lets a pending withdrawal wait, and tells of a shortage of gas where a gas wallet is short of it.
 * One that has waited for gas, or for a fee that may be paid, longer than it may fails with `code`
 * (engineering, 5); money that has to be swept is waited for without an end.
 */
export async function letWait(
  tx: Tx,
  given: Pick<WithdrawalMeans, 'catalogue' | 'serviceKey' | 'entry' | 'gasWaitMs' | 'gasShort'>,
  wait: { withdrawal: Pick<Withdrawal, 'orgId' | 'id'>; waitingFor: WaitingFor; code: FailureCode },
): Promise<void> {
  const { waitingFor, code } = wait
  const { orgId, id } = wait.withdrawal
  const waiting = await noteWaiting(tx, { orgId, id, waitingFor })
  if (waiting === null || waitingFor === 'funds') return
  const { chainId } = waiting
  const isShort = code === 'INSUFFICIENT_GAS' && hasGasWallets(given.entry)
  if (isShort) await given.gasShort(tx, { orgId, chainId })
  const waitedMs = tx.clock.now() - (waiting.waitingSince ?? tx.clock.now())
  if (waitedMs >= given.gasWaitMs) await refusePending(tx, given, { orgId, id, code })
}

/**
 * Fails a withdrawal that was refused before anything was signed. One that was tampered with since
 * it was looked at stays, and gives nothing back: the next look tells of it.
 */
export async function refusePending(
  tx: Tx,
  { catalogue, serviceKey }: Pick<WithdrawalMeans, 'catalogue' | 'serviceKey'>,
  refused: { orgId: string; id: string; code: FailureCode; says?: string },
): Promise<void> {
  const { orgId, id } = refused
  const withdrawal = await lockPending(tx, { orgId, id })
  if (withdrawal === null || (await findForgery(tx, serviceKey, withdrawal)) !== null) return
  await failWithdrawal(tx, { catalogue, ...refused, move: UNSIGNED })
}
