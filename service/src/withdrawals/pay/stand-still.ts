import { readChainState } from '../../catalogue/chain-state.ts'
import type { Address } from '../../chains/port.ts'
import { signingHaltedBy } from '../../journal/signing-halt.ts'
import { isDisputed } from '../../transactions/core/lock-sender.ts'
import { isHalted } from '../../transactions/core/read.ts'
import type { Tx } from '../../store/database.ts'
import type { WithdrawalMeans } from './means.ts'
import { markRunning, markStopped, markWaiting } from './waiting-rows.ts'
import type { Withdrawal } from '../withdrawal.ts'

/**
 * Whether nothing may be signed on a chain now. Then no node is asked about its withdrawals: what
 * it says of a branch that is not ours, or of payments that a restored database knows nothing of,
 * is no proof that one can never be paid (R04, N05, W25). Nor does one wait meanwhile for what
 * cannot be brought: once the chain goes on it has its whole time again. While the ledger or the
 * audit log is broken, its withdrawals wait for an operator.
 */
export async function chainStandsStill(
  tx: Tx,
  { entry: { id: chainId }, serviceKey }: Pick<WithdrawalMeans, 'entry' | 'serviceKey'>,
): Promise<boolean> {
  if ((await signingHaltedBy(tx, serviceKey)) !== null) {
    await markWaiting(tx, { chainId, waitingFor: 'operator' })
    return true
  }
  const state = await readChainState(tx, chainId)
  if (state?.condition === 'running') {
    // A small reorg is over in a moment, and takes nobody's time.
    if (state.isUndoing) return true
    if (!(await isDisputed(tx, chainId))) {
      await markRunning(tx, chainId)
      return false
    }
  }
  await markWaiting(tx, { chainId, waitingFor: 'chain' })
  await markStopped(tx, chainId)
  return true
}

/** The same of the address that pays, which is halted until an operator has looked (W19, W25). */
export async function payerStandsStill(
  tx: Tx,
  { withdrawal: { id, chainId }, from }: { withdrawal: Withdrawal; from: Address },
): Promise<boolean> {
  if (!(await isHalted(tx, { chainId, address: from }))) return false
  await markWaiting(tx, { chainId, id, waitingFor: 'operator' })
  return true
}
