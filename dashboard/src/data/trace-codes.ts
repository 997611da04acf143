import type { PaymentTrace, TraceStep } from '@sluice/client'

/** The code of a step or an outcome. */
export type TraceCode = TraceStep['code']

/** The outcomes of a trace: those of its payments, or its own without a payment. */
export function codesOf({ outcome, payments }: PaymentTrace): TraceCode[] {
  return payments.length === 0 ? [outcome] : payments.map((payment) => payment.outcome)
}

const UNKNOWN: ReadonlySet<TraceCode> = new Set([
  'TRANSACTION_NOT_FOUND',
  'CHAIN_NOT_FOLLOWED',
  'NODE_AWAY',
])
const MOVING: ReadonlySet<TraceCode> = new Set([
  'TRANSACTION_WAITS',
  'NOT_YET_SCANNED',
  'DETECTED',
  'WAITING_FOR_CONFIRMATIONS',
  'BEING_CONFIRMED',
])
/** Whether the chain knows the transaction, or has payments of it. */
export function isFound({ outcome, payments }: PaymentTrace): boolean {
  return payments.length > 0 || !isUnknown(outcome)
}

/** Whether the nodes of the chain know nothing of the transaction. */
export function isUnknown(code: TraceCode): boolean {
  return UNKNOWN.has(code)
}

/** Whether an outcome changes by itself. */
export function isMoving(code: TraceCode): boolean {
  return MOVING.has(code)
}
