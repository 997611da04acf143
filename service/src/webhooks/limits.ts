export interface DelivererLimits {
  /** Deliveries leased at once. */
  batchMax: number
  /** Deliveries of one organization sent at once: what a hanging receiver can take up. */
  perOrganizationMax: number
  /** Deliveries of one organization held ahead of their start, where its receiver is quick. */
  aheadMax: number
  /** Deliveries this process holds at once, of all organizations. */
  heldMax: number
  /** Over name service, connection, headers and body of one attempt (interface, 6.5). */
  deadlineMs: number
  /** Longer than the deadline, by enough to begin late and to write the end down. */
  leaseMs: number
  /** How much of an answer's body is read, in bytes; of an acknowledgement less is kept. */
  answerBytesMax: number
  /** How often the outbox is looked at when nobody calls `wake`. */
  pollMs: number
  /** How long running attempts may take to end once the loop is told to stop. */
  graceMs: number
}

export const DELIVERER_LIMITS: DelivererLimits = {
  batchMax: 2_000,
  perOrganizationMax: 8,
  aheadMax: 1_000,
  heldMax: 8_000,
  deadlineMs: 30_000,
  leaseMs: 45_000,
  answerBytesMax: 16_384,
  pollMs: 250,
  graceMs: 5_000,
}

/** The part of a lease kept free for writing the end of an attempt down. */
const SETTLE_MS = 5_000

/** How long after its lease a delivery may still begin and be sure to end within it. */
export function startWithinMs({ leaseMs, deadlineMs }: DelivererLimits): number {
  return Math.max(leaseMs - deadlineMs - SETTLE_MS, 0)
}
