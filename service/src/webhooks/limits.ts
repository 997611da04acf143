export interface DelivererLimits {
  /** Deliveries leased at once. */
  batchMax: number
  /** Concurrent deliveries to one endpoint: the most that a hanging receiver can occupy. */
  perEndpointMax: number
  /** Deliveries to one endpoint leased in advance, if its receiver is fast. */
  aheadMax: number
  /** Deliveries leased by this process, to all endpoints. */
  heldMax: number
  /** Covers DNS, connection, headers and body of one attempt (interface, 6.5). */
  deadlineMs: number
  /** Longer than the deadline, with time to begin late and to store the result. */
  leaseMs: number
  /** How much of an answer's body is read, in bytes; less is stored of an acknowledgement. */
  answerBytesMax: number
  /** The poll interval of the outbox without a `wake`. */
  pollMs: number
  /** How long running attempts may take during a shutdown. */
  graceMs: number
}

export const DELIVERER_LIMITS: DelivererLimits = {
  batchMax: 2_000,
  perEndpointMax: 8,
  aheadMax: 1_000,
  heldMax: 8_000,
  deadlineMs: 30_000,
  leaseMs: 45_000,
  answerBytesMax: 16_384,
  pollMs: 250,
  graceMs: 5_000,
}

/** The part of a lease reserved for storing the end of an attempt. */
const SETTLE_MS = 5_000

/** How long after its lease a delivery may begin to end within it. */
export function startWithinMs({ leaseMs, deadlineMs }: DelivererLimits): number {
  return Math.max(leaseMs - deadlineMs - SETTLE_MS, 0)
}
