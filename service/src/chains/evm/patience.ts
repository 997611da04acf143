import type { Clock, Millis } from '../../base/clock.ts'
import { AWAITED_MAX_MS } from './lasting.ts'

/**
 * The time that untraceable blocks may hold up a chain. Strangers can make such blocks, and each
 * would be waited for like a slow node. Waits are therefore limited to a store of ten minutes,
 * which refills at a fifth of real time.
 */
export interface Patience {
  /** Milliseconds left. */
  left(): Millis
  /** Spends time. More than is left may be spent; the debt is repaid first. */
  spend(ms: number): void
}

/** Refilling takes this many times as long as spending. */
const COMES_BACK_IN = 5
const COMES_BACK_MS = COMES_BACK_IN * AWAITED_MAX_MS

/** Opens a full store. */
export function openPatience(clock: Clock): Patience {
  let emptyAt: Millis = Number.NEGATIVE_INFINITY
  // Bounded both ways: no debt lasts longer.
  const moveTo = (at: Millis, now: Millis) => {
    emptyAt = Math.min(Math.max(at, now - COMES_BACK_MS), now + COMES_BACK_MS)
    return emptyAt
  }
  return {
    left: () => {
      const now = clock.now()
      return Math.max(0, (now - moveTo(emptyAt, now)) / COMES_BACK_IN)
    },
    spend: (ms) => {
      const now = clock.now()
      moveTo(moveTo(emptyAt, now) + COMES_BACK_IN * Math.max(ms, 0), now)
    },
  }
}
