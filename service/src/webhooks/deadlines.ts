import { assert } from '../base/assert.ts'
import type { Clock, Millis } from '../base/clock.ts'

/** Why a piece of work must stop: its time is over, or the whole loop is closing. */
export type Ending = 'deadline' | 'closing'

interface Entry {
  at: Millis
  end: (why: Ending) => void
}

/**
 * One deadline of the same length for each of many pieces of work, with a single timer: what
 * started first ends first, so only the head of the line needs watching.
 */
export class Deadlines {
  readonly #clock: Clock
  readonly #ms: number
  readonly #closing = new AbortController()
  /** In the order of their ends. */
  readonly #entries = new Set<Entry>()
  #watching = false

  constructor(clock: Clock, ms: number) {
    assert(ms > 0, 'a deadline without time', { ms })
    this.#clock = clock
    this.#ms = ms
  }

  /** Calls `end` once the time is over, unless the function that comes back was called before. */
  start(end: (why: Ending) => void): () => void {
    const entry = { at: this.#clock.now() + this.#ms, end }
    if (this.#closing.signal.aborted) queueMicrotask(() => end('closing'))
    else this.#entries.add(entry)
    if (!this.#watching) void this.#watch()
    return () => void this.#entries.delete(entry)
  }

  /** Ends all work at once, and whatever is still begun. */
  close(): void {
    this.#closing.abort()
    for (const entry of this.#entries) entry.end('closing')
    this.#entries.clear()
  }

  async #watch(): Promise<void> {
    this.#watching = true
    for (let head = this.#head(); head !== undefined; head = this.#head()) {
      const left = head.at - this.#clock.now()
      if (left > 0) await this.#clock.sleep(left, this.#closing.signal)
      if (this.#entries.delete(head)) head.end('deadline')
    }
    this.#watching = false
  }

  /**
   * Looked up anew each time: an iterator that waits would keep all entries alive that end
   * meanwhile.
   */
  #head(): Entry | undefined {
    const [head] = this.#entries
    return head
  }
}
