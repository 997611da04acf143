import type { Clock } from '../base/clock.ts'
import { ADDRESS_WORDS } from '../chains/address-words.ts'
import { hidesKey } from '../chains/format-address.ts'
import type { Address } from '../chains/port.ts'
import type { Database } from '../store/database.ts'
import { AddressSet } from './address-set.ts'
import type { WatchedBatch } from './watch-filter-rows.ts'
import {
  countWatched,
  selectAddedSince,
  selectSnapshotStart,
  selectWatchedPage,
} from './watch-filter-rows.ts'

/**
 * An in-memory filter of watched addresses of every purpose, with a few false positives in a
 * thousand. Matches are always checked in the database within the step (engineering, 15).
 */
export interface WatchFilter {
  /** True for everything until the first `refresh` is done. */
  mayWatch(scope: string, address: Address | Uint8Array): boolean
  /** The same of many addresses of twenty bytes, five numbers each: 1 or 0 for each. */
  mayWatchEach(scope: string, words: Int32Array): Uint8Array
  /**
   * Whether an address of the scope shows no key when it spends (`hidesKey`); true until the first
   * `refresh` is done.
   */
  hidesKeys(scope: string): boolean
  /**
   * Resolves when every address committed before this call, by any process, is known. Concurrent
   * calls share one query of the database; the first call reads all addresses. Throws an Outage if
   * the database does not answer; the next call tries again.
   */
  refresh(): Promise<void>
  /** Addresses known. */
  size(): number
}

/** Addresses read at once at the start. */
const PAGE = 20_000
/** Addresses taken in between two turns of the event loop: some 2 ms. */
const TURN = 10_000
/** At the start room is made for so many more than there are. */
const ROOM = 1.5

/** Minimum time between queries; calls in between share the next one. */
export interface Pace {
  clock: Clock
  everyMs: number
}

/** Creates the filter of all scopes; the first `refresh` reads it. */
export function openWatchFilter(database: Database, pace: Pace | null = null): WatchFilter {
  const known = new Known(database, pace)
  return {
    mayWatch: (scope, address) => known.mayWatch(scope, address),
    mayWatchEach: (scope, words) => known.mayWatchEach(scope, words),
    hidesKeys: (scope) => known.hidesKeys(scope),
    refresh: () => known.refresh(),
    size: () => known.size(),
  }
}

class Known {
  readonly #database: Database
  readonly #pace: Pace | null
  readonly #scopes = new Map<string, AddressSet>()
  /** Scopes in which an address shows no key when it spends. */
  readonly #hiding = new Set<string>()
  /**
   * Transactions before this one have ended, and their addresses are known; null before the first
   * read. Later ones are read again each time, because one of them may commit late.
   */
  #readUpTo: string | null = null
  /** The last refresh. */
  #last: Promise<void> = Promise.resolve()
  /** It, as long as it has not begun. */
  #waiting: Promise<void> | null = null

  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(database: Database, pace: Pace | null) {
    this.#database = database
    this.#pace = pace
  }

  mayWatch(scope: string, address: Address | Uint8Array): boolean {
    if (this.#readUpTo === null) return true
    return this.#scopes.get(scope)?.has(address) ?? false
  }

  mayWatchEach(scope: string, words: Int32Array): Uint8Array {
    const answers = new Uint8Array(words.length / ADDRESS_WORDS)
    if (this.#readUpTo === null) return answers.fill(1)
    return this.#scopes.get(scope)?.hasEach(words) ?? answers
  }

  hidesKeys(scope: string): boolean {
    return this.#readUpTo === null || this.#hiding.has(scope)
  }

  size(): number {
    return [...this.#scopes.values()].reduce((sum, { size }) => sum + size, 0)
  }

  /** A reading under way may have begun before the caller's address was committed. */
  refresh(): Promise<void> {
    if (this.#waiting === null) {
      this.#waiting = this.#readAfter(this.#last)
      this.#last = this.#waiting
    }
    return this.#waiting
  }

  async #readAfter(last: Promise<void>): Promise<void> {
    // The caller of that refresh gets its error.
    await last.catch(() => undefined)
    await this.#keepPace()
    this.#waiting = null
    this.#readUpTo = await (this.#readUpTo === null
      ? this.#readAll()
      : this.#readOn(this.#readUpTo))
  }

  async #keepPace(): Promise<void> {
    if (this.#pace === null) return
    const { clock, everyMs } = this.#pace
    const rest = this.#lookedAt + everyMs - clock.now()
    if (rest > 0) await clock.sleep(rest)
    this.#lookedAt = clock.now()
  }

  async #readAll(): Promise<string> {
    const { readUpTo, counts } = await this.#database.transaction(async (tx) => ({
      readUpTo: await selectSnapshotStart(tx),
      counts: await countWatched(tx),
    }))
    for (const { scope, count } of counts) this.#addressesOf(scope).reserve(Math.ceil(count * ROOM))
    let after = { scope: '', address: '' }
    for (;;) {
      const page = await this.#database.transaction((tx) =>
        selectWatchedPage(tx, { after, limit: PAGE }),
      )
      const last = page.at(-1)
      if (last === undefined) return readUpTo
      for (const batch of page) await this.#take(batch)
      after = { scope: last.scope, address: last.lastAddress }
    }
  }

  async #readOn(from: string): Promise<string> {
    const { readUpTo, added } = await this.#database.transaction((tx) => selectAddedSince(tx, from))
    for (const batch of added) await this.#take(batch)
    return readUpTo
  }

  async #take({ scope, addresses }: WatchedBatch): Promise<void> {
    const known = this.#addressesOf(scope)
    if (!this.#hiding.has(scope) && hidesKey(addresses)) this.#hiding.add(scope)
    let taken = 0
    for (let from = 0; from < addresses.length; taken += 1) {
      if (taken % TURN === TURN - 1) await new Promise((resolve) => setImmediate(resolve))
      const space = addresses.indexOf(' ', from)
      const end = space < 0 ? addresses.length : space
      known.add(addresses, from, end)
      from = end + 1
    }
  }

  #addressesOf(scope: string): AddressSet {
    const standing = this.#scopes.get(scope)
    if (standing !== undefined) return standing
    const made = new AddressSet()
    this.#scopes.set(scope, made)
    return made
  }
}
