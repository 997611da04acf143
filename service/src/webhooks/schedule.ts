import type { Millis } from '../base/clock.ts'

/**
 * Delay before the 1st … 5th retry, interface section 6.5. After the last one the delivery fails
 * permanently.
 */
export const RETRY_DELAYS_MS = [5_000, 25_000, 120_000, 600_000, 3_600_000] as const

/** The longest wait of a delivery. */
export const WAIT_MAX_MS: Millis = Math.max(...RETRY_DELAYS_MS)

/** The first attempt and its retries. */
export const ATTEMPTS_MAX = RETRY_DELAYS_MS.length + 1

/** How long before a retry the first attempt was, after zero to five failures. */
export const RETRIED_FOR_MS: readonly Millis[] = [0, ...RETRY_DELAYS_MS].map((_delay, at) =>
  RETRY_DELAYS_MS.slice(0, at).reduce((sum: Millis, delay) => sum + delay, 0),
)

/**
 * The time of the next attempt after attempt `number` (from 1) failed at `endedAt`, or null after
 * the last one. No jitter: delays count exactly from the end of the failed attempt (engineering,
 * 26).
 */
export function nextAttempt({
  number,
  endedAt,
}: {
  number: number
  endedAt: Millis
}): Millis | null {
  const delay = RETRY_DELAYS_MS[number - 1]
  return delay === undefined ? null : endedAt + delay
}
