import type { Clock } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import { type Log, logOutage, logSuccess } from '../base/log.ts'
import type { Database } from '../store/database.ts'
import { settleAttempts } from './attempt-rows.ts'
import type { DelivererCrash } from './crash-points.ts'
import type { Attempt, Delivery } from './delivery.ts'
import { releaseDeliveries } from './delivery-rows.ts'
import { EndpointResults } from './endpoint-results.ts'
import { FailureAlerts, type News } from './failure-alerts.ts'

/** The attempts that one commit stores. */
const BATCH_MAX = 1_000
/** How long the first attempt of a batch waits under load, to share its commit with others. */
const GATHER_MS = 50
/** A batch of this size is not delayed: waiting for more would delay the attempts behind it. */
const ENOUGH = 500
/** The pause after a database outage. */
const AGAIN_AFTER_MS = 500

/**
 * Stores attempts, many per commit: under load they collect for a moment, and during a commit the
 * next batch does. A database outage loses no attempts; if a lease expires meanwhile, its attempt
 * is void and the event is sent again.
 */
export class Settler {
  readonly #database: Database
  readonly #clock: Clock
  readonly #log: Log
  readonly #crash: DelivererCrash | undefined
  readonly #isRush: () => boolean
  readonly #alerts = new FailureAlerts()
  readonly #results = new EndpointResults()
  readonly #closing = new AbortController()
  #hurrying = new AbortController()
  #queue: Attempt[] = []
  #returned: Delivery[] = []
  #writing: Promise<void> | null = null

  /** `isRush` returns whether more attempts will end soon. */
  constructor(options: {
    database: Database
    clock: Clock
    log: Log
    crash?: DelivererCrash
    isRush: () => boolean
  }) {
    this.#database = options.database
    this.#clock = options.clock
    this.#log = options.log
    this.#crash = options.crash
    this.#isRush = options.isRush
  }

  /** Unstored attempts. */
  get waiting(): number {
    return this.#queue.length
  }

  /** Adds an ended attempt. */
  settle(attempt: Attempt): void {
    this.#queue.push(attempt)
    this.#writing ??= this.#write()
  }

  /** Returns leased deliveries that were not attempted. */
  giveBack(deliveries: readonly Delivery[]): void {
    if (deliveries.length === 0) return
    this.#returned.push(...deliveries)
    this.#writing ??= this.#write()
  }

  /** Stores all attempts without waiting for more, and resolves afterwards. */
  async idle(): Promise<void> {
    this.#hurrying.abort()
    while (this.#writing) await this.#writing
    this.#hurrying = new AbortController()
  }

  /**
   * Stops waiting for an unavailable database; unstored attempts are left to the expiry of their
   * leases.
   */
  close(): void {
    this.#closing.abort()
  }

  async #write(): Promise<void> {
    while (this.#queue.length > 0 || this.#returned.length > 0) {
      const isEnough = this.#queue.length >= ENOUGH
      if (!isEnough && this.#isRush()) await this.#clock.sleep(GATHER_MS, this.#hurrying.signal)
      const attempts = this.#queue.slice(0, BATCH_MAX)
      const returned = this.#returned.slice(0, BATCH_MAX)
      if (!(await this.#commit(attempts, returned))) continue
      if (attempts.length > 0) await this.#crash?.('deliver.recorded')
      this.#queue = this.#queue.slice(attempts.length)
      this.#returned = this.#returned.slice(returned.length)
    }
    this.#writing = null
  }

  /** False if it must be repeated. */
  async #commit(attempts: readonly Attempt[], returned: readonly Delivery[]): Promise<boolean> {
    const logged = { clock: this.#clock, log: this.#log }
    const work = 'webhook attempts'
    try {
      let told: readonly News[] = []
      let results: Awaited<ReturnType<EndpointResults['store']>> = []
      await this.#database.transaction(async (tx) => {
        if (returned.length > 0) await releaseDeliveries(tx, returned)
        const moved = attempts.length > 0 ? await settleAttempts(tx, attempts) : 0
        const late = attempts.length - moved
        if (late > 0) this.#log.warn({ late }, 'attempts ended after their leases')
        if (moved > 0) told = await this.#alerts.tell(tx, attempts, late)
        if (late === 0) results = await this.#results.store(tx, attempts)
      })
      this.#alerts.remember(told)
      this.#results.remember(results)
      logSuccess(logged, work)
      return true
    } catch (error) {
      if (!(error instanceof Outage)) {
        this.#log.error({ error, attempts: attempts.length }, 'attempts could not be written down')
        return this.#commitApart(attempts)
      }
      logOutage(logged, { work, outage: error })
      if (this.#closing.signal.aborted) return true
      await this.#clock.sleep(AGAIN_AFTER_MS, this.#closing.signal)
      return false
    }
  }

  /** An attempt that the database rejects must not fail the others; its lease expires. */
  async #commitApart(attempts: readonly Attempt[]): Promise<boolean> {
    if (attempts.length > 1) for (const attempt of attempts) await this.#commit([attempt], [])
    return true
  }
}
