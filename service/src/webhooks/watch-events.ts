import type { Clock, Millis } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import { type Log, logOutage, logSuccess } from '../base/log.ts'
import type { Database } from '../store/database.ts'
import { selectLastSequences } from './event-rows.ts'

/** How often the counters are read while requests wait. */
const POLL_MS: Millis = 250
/** Waits of a process at once. */
const WAITS_MAX = 1_000
/** Waits of one organization at once, so that it leaves room for the others. */
const WAITS_OF_ORG_MAX = 100
const WORK = 'event watch'

/** A wait for the next event of an organization. */
export interface EventWait {
  orgId: string
  /** The number of the last event that was read. */
  seen: number
  until: Millis
  /** Ends the wait early. */
  signal: AbortSignal
}

/** Waits for events of any process on the database. */
export interface EventWatch {
  /**
   * Resolves to true when the organization has an event with a higher number than `seen`. Resolves
   * to false at `until`, when the signal aborts, at the close, and at once if too many wait.
   */
  next(wait: EventWait): Promise<boolean>
  /** Ends all waits; later ones end at once. */
  close(): void
}

interface WatchDeps {
  database: Pick<Database, 'transaction'>
  clock: Clock
  log: Log
}

/**
 * Opens the watch. One loop reads the counters of events for all waits together, and runs only
 * while there are waits. A wait holds no connection, and an outage of the database does not end it.
 */
export function openEventWatch(deps: WatchDeps): EventWatch {
  return new CounterWatch(deps)
}

interface Waiting {
  orgId: string
  seen: number
  isAnswered: boolean
  ended: AbortController
}

class CounterWatch implements EventWatch {
  readonly #deps: WatchDeps
  readonly #waiting = new Map<string, Set<Waiting>>()
  readonly #closing = new AbortController()
  #count = 0
  #isPolling = false

  constructor(deps: WatchDeps) {
    this.#deps = deps
  }

  async next({ orgId, seen, until, signal }: EventWait): Promise<boolean> {
    const { clock } = this.#deps
    const ofOrg = this.#waiting.get(orgId)?.size ?? 0
    const isFull = this.#count >= WAITS_MAX || ofOrg >= WAITS_OF_ORG_MAX
    if (isFull || signal.aborted || this.#closing.signal.aborted) return false
    const waiting = { orgId, seen, isAnswered: false, ended: new AbortController() }
    const end = () => this.#end(waiting)
    signal.addEventListener('abort', end)
    this.#begin(waiting)
    await clock.sleep(until - clock.now(), waiting.ended.signal)
    signal.removeEventListener('abort', end)
    end()
    return waiting.isAnswered
  }

  close(): void {
    this.#closing.abort()
    for (const waiting of this.#all()) this.#end(waiting)
  }

  #all(): Waiting[] {
    return [...this.#waiting.values()].flatMap((ofOrg) => [...ofOrg])
  }

  #begin(waiting: Waiting): void {
    const ofOrg = this.#waiting.get(waiting.orgId) ?? new Set()
    this.#waiting.set(waiting.orgId, ofOrg.add(waiting))
    this.#count += 1
    if (!this.#isPolling) void this.#poll()
  }

  #end(waiting: Waiting): void {
    const ofOrg = this.#waiting.get(waiting.orgId)
    if (ofOrg?.delete(waiting) !== true) return
    this.#count -= 1
    if (ofOrg.size === 0) this.#waiting.delete(waiting.orgId)
    waiting.ended.abort()
  }

  /** Runs until no request waits. */
  async #poll(): Promise<void> {
    this.#isPolling = true
    while (this.#count > 0) {
      await this.#deps.clock.sleep(POLL_MS, this.#closing.signal)
      if (this.#count > 0) await this.#look()
    }
    this.#isPolling = false
  }

  async #look(): Promise<void> {
    const { database, clock, log } = this.#deps
    try {
      const orgIds = [...this.#waiting.keys()]
      const found = await database.transaction((tx) => selectLastSequences(tx, orgIds))
      logSuccess({ clock, log }, WORK)
      for (const { orgId, last } of found) this.#answer(orgId, last)
    } catch (error) {
      if (error instanceof Outage) return logOutage({ clock, log }, { work: WORK, outage: error })
      log.error({ err: error }, 'event watch failed and ends all waits')
      for (const waiting of this.#all()) this.#end(waiting)
    }
  }

  #answer(orgId: string, last: number): void {
    for (const waiting of this.#waiting.get(orgId) ?? []) {
      if (waiting.seen >= last) continue
      waiting.isAnswered = true
      this.#end(waiting)
    }
  }
}
