import type { Clock, Millis } from '../base/clock.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Database } from '../store/database.ts'
import { addRequests } from './count-rows.ts'

/** Requests in a minute by kind (decisions, section 11); 0 for no limit. */
export interface Rates {
  reads: number
  writes: number
  depositAddresses: number
}

export type LimitKind = keyof Rates

/** The result of counting one request. */
export interface Taken {
  limit: number
  /** How many more may come in this window. */
  remaining: number
  /** How long until the next window. */
  resetMs: Millis
  exceeded: boolean
}

/** Counts requests, for all processes on one database together. */
export interface Limits {
  /**
   * Counts one request of a subject, in memory; null without a limit. `isKnown` marks a user, whose
   * number is bounded. Any other subject is an address and may be counted together with other
   * addresses.
   */
  take(kind: LimitKind, who: string, standing?: { isKnown: boolean }): Taken | null
  /** Adds the local counts to the database, and reads those of other processes. */
  settle(database: Database): Promise<void>
}

const WINDOW_MS: Millis = 60_000
/** The maximum of unknown addresses with a counter; further ones share one counter. */
const STRANGERS_MAX = 50_000

interface Entry {
  kind: LimitKind
  who: string
  /** Counted here, and not yet in the database. */
  fresh: number
  /** Counted by all, as the database last said. */
  settled: number
}

/**
 * Opens the counters; a loop settles them about once a second. A limit can be exceeded by the
 * requests that processes count between two settlements. Without the database each process counts
 * its own requests, and the outage refuses no request (S13).
 */
export function openLimits(params: { clock: Clock; serviceKey: ServiceKey; rates: Rates }): Limits {
  return new MinuteLimits(params)
}

class MinuteLimits implements Limits {
  readonly #clock: Clock
  readonly #serviceKey: ServiceKey
  readonly #rates: Rates
  #windowStart: Millis = 0
  #entries = new Map<string, Entry>()
  #strangers = 0

  constructor({ clock, serviceKey, rates }: Parameters<typeof openLimits>[0]) {
    this.#clock = clock
    this.#serviceKey = serviceKey
    this.#rates = rates
  }

  take(kind: LimitKind, who: string, { isKnown } = { isKnown: false }): Taken | null {
    const limit = this.#rates[kind]
    if (limit === 0) return null
    const now = this.#clock.now()
    this.#turnTo(now - (now % WINDOW_MS))
    const entry = this.#entryOf(kind, who, isKnown)
    const used = entry.settled + entry.fresh
    const exceeded = used >= limit
    if (!exceeded) entry.fresh += 1
    const remaining = Math.max(0, limit - used - 1)
    return { limit, remaining, resetMs: this.#windowStart + WINDOW_MS - now, exceeded }
  }

  async settle(database: Database): Promise<void> {
    const windowStart = this.#windowStart
    const entries = new Map(
      [...this.#entries.values()]
        .filter(({ fresh }) => fresh > 0)
        .map((entry) => [hex(this.#subjectOf(entry)), { entry, requests: entry.fresh }]),
    )
    if (entries.size === 0) return
    const added = [...entries].map(([subject, { requests }]) => ({
      subject: Buffer.from(subject, 'hex'),
      requests,
    }))
    const params = { windowStart, added }
    const sums = await database.transaction((tx) => addRequests(tx, params))
    for (const { subject, requests: settled } of sums) {
      const found = entries.get(hex(subject))
      if (found === undefined) continue
      found.entry.fresh -= found.requests
      found.entry.settled = settled
    }
  }

  /** Unsettled counts of the last window are dropped: they no longer limit a request. */
  #turnTo(windowStart: Millis): void {
    if (windowStart === this.#windowStart) return
    this.#windowStart = windowStart
    this.#entries = new Map()
    this.#strangers = 0
  }

  #entryOf(kind: LimitKind, who: string, isKnown: boolean): Entry {
    const key = `${kind} ${who}`
    const standing = this.#entries.get(key)
    if (standing !== undefined) return standing
    const isOneOfMany = !isKnown && this.#strangers >= STRANGERS_MAX
    if (isOneOfMany && who !== OTHERS) return this.#entryOf(kind, OTHERS, isKnown)
    if (!isKnown) this.#strangers += 1
    const entry = { kind, who, fresh: 0, settled: 0 }
    this.#entries.set(key, entry)
    return entry
  }

  #subjectOf({ kind, who }: Entry): Uint8Array {
    return this.#serviceKey.mac('count', ['request', kind, who])
  }
}

const OTHERS = 'others'

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
