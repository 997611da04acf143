import { createHash } from 'node:crypto'
import type { Clock, Millis } from '../../src/base/clock.ts'
import type { Random } from '../../src/base/random.ts'
import { openLog } from '../../src/base/log.ts'
import type { Log } from '../../src/base/log.ts'

/** 1 January 2026, 00:00 UTC: the default start time of a test. */
export const TEST_START: Millis = 1_767_225_600_000

/** A clock that only a test advances. */
export class ManualClock implements Clock {
  #now: Millis
  readonly #sleepers = new Set<{ due: Millis; wake: () => void }>()

  constructor(start: Millis = TEST_START) {
    this.#now = start
  }

  now(): Millis {
    return this.#now
  }

  /** How many are asleep. */
  get sleeping(): number {
    return this.#sleepers.size
  }

  /** Sets the time without waking any sleeper. */
  set(at: Millis): void {
    this.#now = at
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

  /**
   * Lets time pass: each sleeper that is due wakes at its own time, in order, and may sleep
   * again.
   */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms
    await turn()
    while (this.wakeNext(until)) await turn()
    this.#now = until
  }

  /** Advances to the next sleeper that is due by then; returns false if there is no such one. */
  wakeNext(until: Millis): boolean {
    const [next] = [...this.#sleepers].sort((a, b) => a.due - b.due)
    if (next === undefined || next.due > until) return false
    this.#now = Math.max(this.#now, next.due)
    next.wake()
    return true
  }
}

/** Randomness that is the same for the same seed: SHA-256 of the seed and a counter. */
export class SeededRandom implements Random {
  readonly #seed: number | string
  #counter = 0

  constructor(seed: number | string) {
    this.#seed = seed
  }

  bytes(length: number): Uint8Array {
    const found: number[] = []
    while (found.length < length) found.push(...this.#block())
    return Uint8Array.from(found.slice(0, length))
  }

  fraction(): number {
    const [a = 0, b = 0, c = 0, d = 0] = this.bytes(4)
    return (a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d) / 2 ** 32
  }

  #block(): Uint8Array {
    this.#counter += 1
    return createHash('sha256').update(`${this.#seed}:${this.#counter}`).digest()
  }
}

const SILENT = openLog({ level: 'silent', pretty: false, destination: { write: () => undefined } })

/** A shared log that discards its lines; worlds ask for it at every step. */
export function silentLog(): Log {
  return SILENT
}

/** Lets everything that is ready to run, run. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
