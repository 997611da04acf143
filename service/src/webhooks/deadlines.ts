import { assert } from '../base/assert.ts'
import type { Clock, Millis } from '../base/clock.ts'

/** Why a task must stop: its deadline passed, or the loop is closing. */
export type Ending = 'deadline' | 'closing'

/**
 * Deadlines of equal length for many tasks, with a single timer: the task that started first ends
 * first, so only the head of the queue is watched.
 */
export class Deadlines {
  readonly #clock: Clock
  readonly #ms: number
  readonly #closing = new AbortController()
  readonly #line = new Line()
  #watching = false

  constructor(clock: Clock, ms: number) {
    assert(ms > 0, 'a deadline without time', { ms })
    this.#clock = clock
    this.#ms = ms
  }

  /** Calls `end` at the deadline, unless the returned function is called before. */
  start(end: (why: Ending) => void): () => void {
    if (this.#closing.signal.aborted) {
      queueMicrotask(() => end('closing'))
      return () => {}
    }
    const entry = this.#line.add(this.#clock.now() + this.#ms, end)
    if (!this.#watching) void this.#watch()
    return () => void this.#line.remove(entry)
  }

  /** Ends all tasks now, and later ones when they begin. */
  close(): void {
    this.#closing.abort()
    for (let head = this.#line.head; head !== null; head = this.#line.head)
      this.#line.remove(head)?.('closing')
  }

  async #watch(): Promise<void> {
    this.#watching = true
    for (let head = this.#line.head; head !== null; head = this.#line.head) {
      const left = head.at - this.#clock.now()
      if (left > 0) await this.#clock.sleep(left, this.#closing.signal)
      this.#line.remove(head)?.('deadline')
    }
    this.#watching = false
  }
}

/** A task in the queue, linked to its neighbours; to itself without neighbours. */
class Entry {
  readonly at: Millis
  /** Null after the end of the task, by deadline or before. */
  end: ((why: Ending) => void) | null
  before: Entry = this
  after: Entry = this

  constructor(at: Millis, end: Entry['end']) {
    this.at = at
    this.end = end
  }
}

/**
 * Entries in the order of their ends. A removed entry drops the references to its neighbours and
 * its task. A Set rehashes itself every few insertions; each old copy keeps the next one and all
 * tasks of that time until a full garbage collection (measured: nearly every request outlived its
 * answer, which took an eighth of the CPU time).
 */
class Line {
  /** The sentinel before the first and after the last entry. */
  readonly #ends = new Entry(-Infinity, null)

  get head(): Entry | null {
    const { after } = this.#ends
    return after === this.#ends ? null : after
  }

  add(at: Millis, end: (why: Ending) => void): Entry {
    const entry = new Entry(at, end)
    entry.before = this.#ends.before
    entry.after = this.#ends
    entry.before.after = entry
    entry.after.before = entry
    return entry
  }

  /** Removes an entry and returns its callback; null if it was removed before. */
  remove(entry: Entry): Entry['end'] {
    const { end } = entry
    entry.before.after = entry.after
    entry.after.before = entry.before
    entry.before = entry
    entry.after = entry
    entry.end = null
    return end
  }
}
