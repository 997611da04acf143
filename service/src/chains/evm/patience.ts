import type { Clock, Millis } from '../../base/clock.ts'
import { AWAITED_MAX_MS } from './lasting.ts'

/**
 * How long blocks may hold a chain up that are too much to be traced. Anybody can make such blocks,
 * and each would be waited for as if the node were slow for a moment: so what is waited for in vain
 * is taken from a store of ten minutes, to which a fifth of the time comes back.
 */
export interface Patience {
  /** What is left of it, in milliseconds. */
  left(): Millis
  /** Takes some of it. More than is left may be taken, and must come back first. */
  spend(ms: number): void
}

/** It takes so much longer to come back than it took to be spent. */
const COMES_BACK_IN = 5
const COMES_BACK_MS = COMES_BACK_IN * AWAITED_MAX_MS

/** Opens a full store. */
export function openPatience(clock: Clock): Patience {
  let emptyAt: Millis = Number.NEGATIVE_INFINITY
  // Bounded both ways: nothing is owed for longer, be it that the clock was set back.
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
