import type { Millis } from '../../base/clock.ts'

/** A condition that is observed repeatedly and may pass. */
export interface Lasting {
  since: Millis
  /** When it was last observed. */
  lastAt: Millis
}

/**
 * How long a refusal or missing answer is waited for: longer than the longest time that a node is
 * set aside.
 */
export const AWAITED_MAX_MS = 600_000

/** Records another occurrence. A long time without one starts a new period. */
export function metAgain(known: Lasting | null, now: Millis): Lasting {
  const isNew = known === null || now - known.lastAt >= AWAITED_MAX_MS
  return { since: isNew ? now : known.since, lastAt: now }
}

/** Whether it has lasted as long as the limit. */
export function hasLasted({ since, lastAt }: Lasting): boolean {
  return lastAt - since >= AWAITED_MAX_MS
}
