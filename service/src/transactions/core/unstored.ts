import { type Slot, withdrawalHash } from '@sluice/signer'
import type { Tx } from '../../store/database.ts'
import type { SpendDeps } from './payment-request.ts'
import type { Sender } from './sender.ts'
import { type SignedFor, senderKey } from './signing-request.ts'

/** Withdrawals that were signed for a sender and not stored: the process ended in between. */
interface Unstored {
  slot: Slot
  /** Those that this spend pays; empty if others must be paid before it. */
  ids: readonly string[]
}

/**
 * The last withdrawals that the signer signed for a locked sender, if their slot is unused here
 * (`isUnused`) and they still wait for a signature. The signer signs them again only under that
 * slot; a spend of others would take it. Null if the sender is free.
 */
export async function readUnstored(
  tx: Tx,
  { entry, keys, hooks }: Pick<SpendDeps, 'entry' | 'keys' | 'hooks'>,
  asked: { sender: Sender; spend: SignedFor; isUnused: (slot: Slot) => boolean },
): Promise<Unstored | null> {
  const { sender, spend, isUnused } = asked
  const { orgId } = sender
  const { id: chainId } = entry
  if (entry.paymentModel === 'window') return null
  const last = await keys.signer.lastSigned(orgId, chainId, senderKey(entry, sender))
  if (last === null || !isUnused(last.slot)) return null
  const open = (await hooks.withdrawal.withdrawals?.(tx, { orgId, chainId })) ?? []
  const signed = open.filter((fields) => last.subjects.includes(withdrawalHash(fields)))
  if (signed.length === 0) return null
  const ids = signed.map(({ id }) => id).filter((id) => spend.subjectIds.includes(id))
  return { slot: last.slot, ids }
}
