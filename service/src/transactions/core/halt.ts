import type { ChainId } from '@sluice/wire'
import type { Address } from '../../chains/port.ts'
import { raiseAlert, resolveAlert } from '../../journal/raise-alert.ts'
import { writeAudit } from '../../journal/write-audit.ts'
import type { Tx } from '../../store/database.ts'
import { assertLease } from '../../store/lease.ts'
import type { SpendMeans } from './mandate.ts'
import { HALT_CODES, type HaltCode } from './sender.ts'
import type { SpendMismatch } from './sign.ts'
import type { Purpose } from './spend.ts'
import { haltRow, moveNonce, resumeRow, selectSenderForUpdate } from './sender-rows.ts'
import { dropTickets, selectFreeTickets, upsertTickets } from '../ticket/ticket-rows.ts'

/**
 * Lets a sender sign nothing more until an operator resumes it, and says why. The first cause
 * stays; the alert says the newest.
 */
export async function haltSender(
  tx: Tx,
  given: {
    chainId: ChainId
    address: Address
    code: HaltCode
    message: string
    details?: Record<string, unknown>
  },
): Promise<void> {
  const { chainId, address, code, message, details = {} } = given
  await haltRow(tx, { chainId, address, cause: `${code}: ${message}` })
  const subject = subjectOf(given)
  await raiseAlert(tx, { code, subject, message, details: { chainId, address, ...details } })
}

/**
 * Lets a halted sender sign again, from a nonce that neither we nor the chain have used; audit-
 * logged. False where it was not halted.
 */
export async function resumeSender(
  tx: Tx,
  given: {
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
  const { chainId, address, chainNonce, chainTickets = [], actor, reason } = given
  const sender = await selectSenderForUpdate(tx, { chainId, address })
  if (sender === null || !(await resumeRow(tx, given))) return false
  const from = sender.nextNonce
  const to = Math.max(from, chainNonce)
  if (to > from) await moveNonce(tx, { chainId, address, from, to })
  const free = await selectFreeTickets(tx, given)
  await dropTickets(tx, { chainId, address, numbers: free })
  await upsertTickets(tx, { sender, numbers: chainTickets })
  for (const code of HALT_CODES) await resolveAlert(tx, { code, subject: subjectOf(given) })
  await writeAudit(tx, {
    orgId: sender.orgId,
    actor,
    action: 'sender.resume',
    object: subjectOf(given),
    details: { reason, cause: sender.haltedCause, nextNonce: to },
  })
  return true
}

/**
 * Halts a sender whose payment was not what was asked for, in a transaction of its own: the one
 * that was to sign it came to nothing.
 */
export async function haltForMismatch(
  { database, entry, lease, log }: SpendMeans,
  { address, purpose, subjectId }: { address: Address; purpose: Purpose; subjectId: string },
  mismatch: SpendMismatch,
): Promise<void> {
  const chainId = entry.id
  log.error({ chainId, subjectId, err: mismatch }, 'nothing was signed: a mismatch')
  const message = `${mismatch.message}, for the ${purpose} ${subjectId}.`
  const details = { purpose, subjectId }
  await database.transaction(async (tx) => {
    await assertLease(tx, lease)
    await haltSender(tx, { chainId, address, code: 'spend.mismatch', message, details })
  })
}

function subjectOf({ chainId, address }: { chainId: ChainId; address: Address }): string {
  return `${chainId}:${address}`
}
