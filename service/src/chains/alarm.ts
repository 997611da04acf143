import type { Clock } from '../base/clock.ts'

/** A sleep that a ring ends. A ring before the sleep ends the next one at once. */
export interface Alarm {
  ring: () => void
  /**
   * Resolves after `ms`, at a ring, or when the signal aborts; it never rejects. Returns whether it
   * rang.
   */
  sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean>
}

/** An alarm that has not rung yet. */
export function openAlarm(): Alarm {
  let hasRung = false
  let wake = () => {}
  return {
    ring: () => {
      hasRung = true
      wake()
    },
    sleep: async (clock, ms, signal) => {
      const waking = new AbortController()
      wake = () => waking.abort()
      if (hasRung || signal.aborted) wake()
      signal.addEventListener('abort', wake)
      await clock.sleep(ms, waking.signal)
      signal.removeEventListener('abort', wake)
      const rang = hasRung
      hasRung = false
      return rang
    },
  }
}
