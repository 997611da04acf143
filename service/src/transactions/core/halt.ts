import type { ChainId } from '@sluice/wire'
import type { Address } from '../../chains/port.ts'
import { raiseAlert } from '../../alerts/raise-alert.ts'
import type { Tx } from '../../store/database.ts'
import { assertLease } from '../../store/lease.ts'
import type { SpendDeps } from './payment-request.ts'
import { haltRow } from './sender-rows.ts'
import type { HaltCode } from './sender.ts'
import type { SpendMismatch } from './mismatch.ts'
import type { Purpose } from './spend.ts'

/**
 * Stops a sender from signing until an operator resumes it, and raises an alert. The row keeps the
 * first cause; the alert shows the latest.
 */
export async function haltSender(
  tx: Tx,
  halt: {
    chainId: ChainId
    address: Address
    code: HaltCode
    message: string
    details?: Record<string, unknown>
  },
): Promise<void> {
  const { chainId, address, code, message, details = {} } = halt
  await haltRow(tx, { chainId, address, cause: `${code}: ${message}` })
  const subject = subjectOf(halt)
  await raiseAlert(tx, { code, subject, message, details: { chainId, address, ...details } })
}

/**
 * Halts a sender whose signed payment differs from its request, in a new transaction: the signing
 * one is rolled back.
 */
export async function haltForMismatch(
  { database, entry, lease, log }: SpendDeps,
  { address, purpose, subjectId }: { address: Address; purpose: Purpose; subjectId: string },
  mismatch: SpendMismatch,
): Promise<void> {
  const chainId = entry.id
  log.error(
    { chainId, subjectId, err: mismatch },
    'payment was not signed: it differs from its request',
  )
  const message = `${mismatch.message}, for the ${purpose} ${subjectId}.`
  const details = { purpose, subjectId }
  await database.transaction(async (tx) => {
    await assertLease(tx, lease)
    await haltSender(tx, { chainId, address, code: 'spend.mismatch', message, details })
  })
}

export function subjectOf({ chainId, address }: { chainId: ChainId; address: Address }): string {
  return `${chainId}:${address}`
}
