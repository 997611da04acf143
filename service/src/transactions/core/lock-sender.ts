import type { ChainId } from '@sluice/wire'
import { maySpend, readChainState } from '../../catalogue/chain-state.ts'
import type { Address } from '../../chains/port.ts'
import { isAlertOpen } from '../../journal/raise-alert.ts'
import { signingHaltedBy } from '../../journal/signing-halt.ts'
import type { Tx } from '../../store/database.ts'
import { assertLease } from '../../store/lease.ts'
import type { Sent, SpendMeans } from './mandate.ts'
import { lockGas, selectSenderForUpdate } from './sender-rows.ts'
import type { Sender } from './sender.ts'

/** A sender that may sign now, locked until the transaction ends. */
export interface LockedSender {
  sender: Sender
  /** Our tip. */
  height: number
  /** The highest block of ours that the chain calls final; null while none is known. */
  final: number | null
}

/**
 * Begins every step that signs, in the order of locks: the lease, by its token; the chain, which
 * must be running and undisputed, and must not be losing blocks just now; the sender's row; its
 * organization's gas. While the ledger or the audit log is broken nothing is signed, whatever its
 * purpose; stored bytes are still rebroadcast. Answers with why nothing may be signed where that is
 * so. The sender's row must be there.
 */
export async function lockSender(
  tx: Tx,
  { lease, entry, keys }: Pick<SpendMeans, 'lease' | 'entry' | 'keys'>,
  address: Address,
): Promise<LockedSender | Extract<Sent, { outcome: 'frozen' | 'halted' }>> {
  await assertLease(tx, lease)
  const state = await readChainState(tx, entry.id)
  if (!maySpend(state) || (await isDisputed(tx, entry.id))) return { outcome: 'frozen' }
  if ((await signingHaltedBy(tx, keys.serviceKey)) !== null) return { outcome: 'frozen' }
  const sender = await selectSenderForUpdate(tx, { chainId: entry.id, address })
  if (sender === null) return { outcome: 'halted', cause: 'its nonces were never compared' }
  if (sender.haltedAt !== null) return { outcome: 'halted', cause: sender.haltedCause }
  await lockGas(tx, sender)
  return { sender, height: state.tip.height, final: state.final?.height ?? null }
}

/** On whose branch what we sign would be included is not for us to guess (N05). */
export function isDisputed(tx: Tx, chainId: ChainId): Promise<boolean> {
  return isAlertOpen(tx, { code: 'chain.disputed', subject: chainId })
}
