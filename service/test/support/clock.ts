import { createHash } from 'node:crypto'
import type { Clock, Millis } from '../../src/base/clock.ts'
import type { Dice } from '../../src/base/dice.ts'
import { openLog } from '../../src/base/log.ts'
import type { Log } from '../../src/base/log.ts'

/** 1 January 2026, 00:00 UTC: where a test's time begins unless it says otherwise. */
export const TEST_START: Millis = 1_767_225_600_000

/** Time that stands still until a test moves it. */
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

  /** Jumps to a time and wakes nobody: a clock that is set, not one that runs. */
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
   * Lets time pass: whoever is due on the way wakes at its own moment, in order, and may sleep
   * again.
   */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms
    await turn()
    while (this.wakeNext(until)) await turn()
    this.#now = until
  }

  /** Goes on to whoever wakes next, by then; false where nobody does. */
  wakeNext(until: Millis): boolean {
    const [next] = [...this.#sleepers].sort((a, b) => a.due - b.due)
    if (next === undefined || next.due > until) return false
    this.#now = Math.max(this.#now, next.due)
    next.wake()
    return true
  }
}

/** Randomness that is the same for the same seed: SHA-256 of the seed and a counter. */
export class SeededDice implements Dice {
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

/** A log that nobody reads: one for all, for worlds ask for it at every step. */
export function silentLog(): Log {
  return SILENT
}

/** Lets everything that is ready to run, run. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
