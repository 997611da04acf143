import { CLAIM } from '../../ledger/account.ts'
import { readBalance } from '../../ledger/balance.ts'
import { hasUnsettled } from '../../transactions/core/unsettled-rows.ts'
import type { Tx } from '../../store/database.ts'
import { failWithdrawal } from '../settle/fail.ts'
import { findForgery } from '../find-forgery.ts'
import { lockPending } from './inspect.ts'
import type { WithdrawalMeans } from './means.ts'
import { noteWaiting } from '../rows.ts'
import { hasWaitedLong, tellWaiting } from './tell-waiting.ts'
import { type FailureCode, type Move, type WaitingFor, type Withdrawal } from '../withdrawal.ts'

/** Nothing is signed yet: only from here a refusal may end it. */
const UNSIGNED: Move = { from: ['Pending'], to: 'Failed' }

/**
 * Lets a pending withdrawal wait, and tells of a shortage of gas where a gas wallet is short of it.
 * One that has waited longer than it may fails with `code` (engineering, 5); one that waits for
 * funds only where nothing can bring them: else an operator is told, and it waits on.
 */
export async function letWait(
  tx: Tx,
  given: Pick<WithdrawalMeans, 'catalogue' | 'serviceKey' | 'entry' | 'gasWaitMs' | 'gasShort'>,
  wait: { withdrawal: Pick<Withdrawal, 'orgId' | 'id'>; waitingFor: WaitingFor; code: FailureCode },
): Promise<void> {
  const { waitingFor, code } = wait
  const { orgId, id } = wait.withdrawal
  const withdrawal = await noteWaiting(tx, { orgId, id, waitingFor })
  if (withdrawal === null) return
  const { chainId } = withdrawal
  const isShort = code === 'INSUFFICIENT_GAS' && given.entry.hasGasWallets
  if (isShort) await given.gasShort(tx, { orgId, chainId })
  if (!hasWaitedLong(tx, given, withdrawal)) return
  if (waitingFor === 'funds' && (await mayBeBrought(tx, given, withdrawal)))
    return tellWaiting(tx, given, { withdrawal })
  await refusePending(tx, given, { orgId, id, code })
}

/**
 * Whether what a withdrawal lacks may still come by itself: swept, where deposits are; elsewhere
 * with a payment of the organization's that is not settled, of which something may return, or with
 * money that is seen and not confirmed. What it holds already will not become more (X13, B06).
 */
async function mayBeBrought(
  tx: Tx,
  { entry }: Pick<WithdrawalMeans, 'entry'>,
  { orgId, chainId, tokenId }: Withdrawal,
): Promise<boolean> {
  if (entry.hasGasWallets || (await hasUnsettled(tx, { orgId, chainId }))) return true
  return (await readBalance(tx, { orgId, chainId, tokenId, account: CLAIM.unconfirmed })) > 0n
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
