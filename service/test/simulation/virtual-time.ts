import type { Clock, Millis } from '../../src/base/clock.ts'
import { TEST_START } from '../support/clock.ts'

/** Time that passes only where it is told to: from one sleeper to the next. */
export class VirtualTime implements Clock {
  #now: Millis = TEST_START
  readonly #sleepers = new Set<{ due: Millis; wake: () => void }>()

  now(): Millis {
    return this.#now
  }

  /** Goes on to a moment before which nobody wakes. */
  set(at: Millis): void {
    this.#now = Math.max(this.#now, at)
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted || ms <= 0) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = () => {
        this.#sleepers.delete(sleeper)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      const sleeper = { due: this.#now + ms, wake }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', wake)
    })
  }

  /** Goes on to whoever wakes next, by then; false where nobody does. */
  wakeNext(until: Millis): boolean {
    let next: { due: Millis; wake: () => void } | null = null
    for (const sleeper of this.#sleepers)
      if (next === null || sleeper.due < next.due) next = sleeper
    if (next === null || next.due > until) return false
    this.#now = Math.max(this.#now, next.due)
    next.wake()
    return true
  }
}
