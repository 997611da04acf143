import type { ChainId } from '@sluice/wire'
import type { Address } from '../chains/port.ts'
import { resolveAlert } from '../alerts/raise-alert.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import type { Tx } from '../store/database.ts'
import { subjectOf } from './core/halt.ts'
import { moveNonce, resumeRow, selectSenderForUpdate } from './core/sender-rows.ts'
import { HALT_CODES } from './core/sender.ts'
import { dropTickets, selectFreeTickets, upsertTickets } from './ticket/ticket-rows.ts'

/**
 * Resumes a halted sender, from a nonce that neither we nor the chain have used; audit-logged.
 * Returns false if it was not halted.
 */
export async function resumeSender(
  tx: Tx,
  resumption: {
    chainId: ChainId
    address: Address
    /** The next nonce as the chain has it, asked just before. */
    chainNonce: number
    /**
     * The tickets that the chain has of it, asked just before: these and no others stand from now
     * on.
     */
    chainTickets?: readonly number[]
    actor: string
    reason: string
  },
): Promise<boolean> {
  const { chainId, address, chainNonce, chainTickets = [], actor, reason } = resumption
  const sender = await selectSenderForUpdate(tx, { chainId, address })
  if (sender === null || !(await resumeRow(tx, resumption))) return false
  const from = sender.nextNonce
  const to = Math.max(from, chainNonce)
  if (to > from) await moveNonce(tx, { chainId, address, from, to })
  const free = await selectFreeTickets(tx, resumption)
  await dropTickets(tx, { chainId, address, numbers: free })
  await upsertTickets(tx, { sender, numbers: chainTickets })
  for (const code of HALT_CODES) await resolveAlert(tx, { code, subject: subjectOf(resumption) })
  await writeAudit(tx, {
    orgId: sender.orgId,
    actor,
    action: 'sender.resume',
    object: subjectOf(resumption),
    details: { reason, cause: sender.haltedCause, nextNonce: to },
  })
  return true
}
