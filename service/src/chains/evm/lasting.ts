import type { Millis } from '../../base/clock.ts'

/** Something that is met again and again, and may pass. */
export interface Lasting {
  since: Millis
  /** When it was last met. */
  lastAt: Millis
}

/**
 * What nodes refuse, or fail to tell, is waited for so long: longer than the longest that a node is
 * set aside.
 */
export const AWAITED_MAX_MS = 600_000

/**
 * Met once more. It begins anew after a long time in which nobody met it, and for a clock that was
 * set back: the wait must not end before its time.
 */
export function metAgain(known: Lasting | null, now: Millis): Lasting {
  const isNew = known === null || now < known.since || now - known.lastAt >= AWAITED_MAX_MS
  return { since: isNew ? now : known.since, lastAt: now }
}

/** Whether it has been there for as long as anything is waited for. */
export function hasLasted({ since, lastAt }: Lasting): boolean {
  return lastAt - since >= AWAITED_MAX_MS
}
