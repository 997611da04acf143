import type { ChainId } from '@sluice/wire'
import { maySpend, readChainState } from '../../catalogue/chain-state.ts'
import type { Address } from '../../chains/port.ts'
import { isAlertOpen } from '../../alerts/raise-alert.ts'
import { signingHaltedBy } from '../../audit-log/signing-halt.ts'
import type { Tx } from '../../store/database.ts'
import { assertLease } from '../../store/lease.ts'
import type { Sent, SpendDeps } from './payment-request.ts'
import { lockGas, selectSenderForUpdate } from './sender-rows.ts'
import type { Sender } from './sender.ts'

/** A sender that may sign now, locked until the transaction ends. */
export interface LockedSender {
  sender: Sender
  /** Our tip. */
  height: number
  /** Highest block of ours that is final; null if unknown. */
  final: number | null
}

/**
 * Begins every signing step and takes the locks in their order: the lease, the sender's row, the
 * organization's gas. The chain must be running, undisputed and not reorganizing; the ledger and
 * the audit log must be intact (stored bytes are still rebroadcast). Otherwise returns why nothing
 * may be signed. `prepareSender` must have created the sender's row.
 */
export async function lockSender(
  tx: Tx,
  { lease, entry, keys }: Pick<SpendDeps, 'lease' | 'entry' | 'keys'>,
  address: Address,
): Promise<LockedSender | Extract<Sent, { outcome: 'frozen' | 'halted' }>> {
  await assertLease(tx, lease)
  const state = await readChainState(tx, entry.id)
  if (!maySpend(state) || (await isDisputed(tx, entry.id))) return { outcome: 'frozen' }
  if ((await signingHaltedBy(tx, keys.serviceKey)) !== null) return { outcome: 'frozen' }
  const sender = await selectSenderForUpdate(tx, { chainId: entry.id, address })
  if (sender === null) return { outcome: 'halted', cause: 'its nonces were not compared yet' }
  if (sender.haltedAt !== null) return { outcome: 'halted', cause: sender.haltedCause }
  await lockGas(tx, sender)
  return { sender, height: state.tip.height, final: state.final?.height ?? null }
}

/** On whose branch what we sign would be included is not for us to guess (N05). */
export function isDisputed(tx: Tx, chainId: ChainId): Promise<boolean> {
  return isAlertOpen(tx, { code: 'chain.disputed', subject: chainId })
}
