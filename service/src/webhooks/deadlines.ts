import { assert } from '../base/assert.ts'
import type { Clock, Millis } from '../base/clock.ts'

/** Why a piece of work must stop: its time is over, or the whole loop is closing. */
export type Ending = 'deadline' | 'closing'

/**
 * One deadline of the same length for each of many pieces of work, with a single timer: what
 * started first ends first, so only the head of the line needs watching.
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

  /** Calls `end` once the time is over, unless the function that comes back was called before. */
  start(end: (why: Ending) => void): () => void {
    if (this.#closing.signal.aborted) {
      queueMicrotask(() => end('closing'))
      return () => {}
    }
    const entry = this.#line.add(this.#clock.now() + this.#ms, end)
    if (!this.#watching) void this.#watch()
    return () => void this.#line.remove(entry)
  }

  /** Ends all work at once, and whatever is still begun. */
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

/** A piece of work in the line, linked to its neighbours; to itself where it has none. */
class Entry {
  readonly at: Millis
  /** Null once it is over, whichever way. */
  end: ((why: Ending) => void) | null
  before: Entry = this
  after: Entry = this

  constructor(at: Millis, end: Entry['end']) {
    this.at = at
    this.end = end
  }
}

/**
 * Entries in the order of their ends. What leaves lets go of its neighbours and of its work. A Set
 * would copy itself with every few that come and go, and each copy, once it is old, keeps the next
 * one and all that was begun then until the next thorough collection (measured: so nearly every
 * request outlived its answer, and an eighth of all our time went into that).
 */
class Line {
  /** Stands before the first and after the last. */
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

  /** Takes an entry out and gives what it was to call; null where it was out before. */
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
