import type { Clock, Millis } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import { type Log, logOutage, logSuccess } from '../base/log.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Database } from '../store/database.ts'
import { attemptDelivery } from './attempt.ts'
import type { AttemptDeps } from './attempt.ts'
import type { DelivererCrash } from './crash-points.ts'
import { Deadlines } from './deadlines.ts'
import { isAccepted, judge } from './delivery.ts'
import type { Attempt, Delivery } from './delivery.ts'
import { FIRST_ENDPOINT } from './delivery-rows.ts'
import { Lanes } from './lanes.ts'
import { leaseBatch } from './lease-batch.ts'
import type { Batch } from './lease-batch.ts'
import { DELIVERER_LIMITS, startWithinMs } from './limits.ts'
import type { DelivererLimits } from './limits.ts'
import { openPoster } from './post.ts'
import type { Poster, PosterOptions } from './post.ts'
import { Settler } from './settler.ts'
import type { Resolve, TargetRules } from './target.ts'
import { openTargets } from './targets.ts'

/** The pause after a database outage. */
const AGAIN_AFTER_MS = 500

export interface DelivererOptions {
  database: Database
  serviceKey: ServiceKey
  clock: Clock
  log: Log
  rules: TargetRules
  resolve: Resolve
  limits?: Partial<DelivererLimits>
  /** How to send POSTs; default: HTTP. */
  openPoster?: (options: PosterOptions) => Poster
  /** Trusted certificates that replace the system's, PEM. */
  ca?: string
  /** Called after each attempt, for the metrics. */
  onAttempt?: (attempt: Attempt) => void
  /** The points at which a test ends the process. */
  crash?: DelivererCrash
}

/** The loop that sends events to their receivers. Any number of processes may run it. */
export interface Deliverer {
  /** Makes and stores all due deliveries. Returns the number of attempts. */
  tick(): Promise<number>
  /** Delivers until the signal, then waits briefly for running attempts and releases the others. */
  run(signal: AbortSignal): Promise<void>
  /** Checks the outbox now, because events were committed. */
  wake(): void
  /** Aborts all attempts without counting them; their deliveries are due again at once. */
  close(): Promise<void>
}

/** Opens the deliverer; it sends on `tick` and `run` only. */
export function openDeliverer(options: DelivererOptions): Deliverer {
  return new Outgoing(options, { ...DELIVERER_LIMITS, ...options.limits })
}

class Outgoing implements Deliverer {
  readonly #options: DelivererOptions
  readonly #limits: DelivererLimits
  readonly #lanes: Lanes
  readonly #deadlines: Deadlines
  readonly #poster: Poster
  readonly #deps: AttemptDeps
  readonly #settler: Settler
  readonly #running = new Running()
  #after = FIRST_ENDPOINT
  #attempts = 0
  #isWoken = false
  #isTaking = false
  #isLooping = false
  #isClosed = false
  #alarm = new AbortController()

  constructor(options: DelivererOptions, limits: DelivererLimits) {
    this.#options = options
    this.#limits = limits
    this.#lanes = new Lanes({ ...limits, startWithinMs: startWithinMs(limits) })
    this.#deadlines = new Deadlines(options.clock, limits.deadlineMs)
    const open = options.openPoster ?? openPoster
    this.#poster = open({ ...options, ...limits, deadlines: this.#deadlines })
    const targetOf = openTargets(options.rules)
    this.#deps = { clock: options.clock, poster: this.#poster, targetOf }
    this.#settler = new Settler({ ...options, isRush: () => this.#isRush() })
  }

  async tick(): Promise<number> {
    const before = this.#attempts
    for (;;) {
      const taken = await this.#take()
      if (taken === 0 && this.#running.count === 0) break
      await this.#running.ended()
      await this.#settler.idle()
    }
    await this.#settler.idle()
    return this.#attempts - before
  }

  async run(signal: AbortSignal): Promise<void> {
    const wake = () => this.wake()
    signal.addEventListener('abort', wake)
    this.#isLooping = true
    while (!signal.aborted) {
      const taken = await this.#takeOrRest(signal)
      // More endpoints wait than a batch holds, or a lane ran low meanwhile.
      const isMore = this.#after !== FIRST_ENDPOINT || this.#lanes.isCalling
      if (taken === 0 || !isMore) await this.#rest(signal)
    }
    signal.removeEventListener('abort', wake)
    await this.#drain()
  }

  wake(): void {
    if (this.#isWoken) return
    this.#isWoken = true
    this.#alarm.abort()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#settler.giveBack(this.#lanes.giveUp('all'))
    this.#deadlines.close()
    await this.#running.ended()
    this.#settler.close()
    await this.#settler.idle()
    await this.#poster.close()
  }

  /** Leases and begins as many deliveries as fit. Returns their number. */
  async #take(): Promise<number> {
    const now = this.#options.clock.now()
    this.#settler.giveBack(this.#lanes.giveUp(now))
    this.#lanes.answer()
    const room = this.#limits.heldMax - this.#lanes.held - this.#settler.waiting
    if (room <= 0 || this.#isClosed) return 0
    this.#isTaking = true
    const { lanes, after } = await this.#lease(room, now).finally(() => (this.#isTaking = false))
    if (lanes.length > 0) await this.#options.crash?.('deliver.leased')
    let taken = 0
    this.#after = after
    for (const { endpointId, asked, deliveries } of lanes) {
      this.#lanes.add(endpointId, deliveries, { asked, now: this.#options.clock.now() })
      this.#begin(endpointId)
      taken += deliveries.length
    }
    return taken
  }

  #lease(room: number, now: Millis): Promise<Batch> {
    return leaseBatch(this.#options, {
      limit: Math.min(room, this.#limits.batchMax),
      leaseMs: this.#limits.leaseMs,
      full: this.#lanes.full(now),
      roomOf: (endpointId) => this.#lanes.roomOf(endpointId, now),
      after: this.#after,
    })
  }

  /** Begins the deliveries that an endpoint's lane allows. */
  #begin(endpointId: string): void {
    for (
      let next = this.#lanes.next(endpointId);
      next !== null;
      next = this.#lanes.next(endpointId)
    ) {
      this.#running.begin()
      void this.#attempt(next)
    }
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const { clock, crash } = this.#options
    const { orgId, endpointId, eventId } = delivery
    let accepted = false
    try {
      const attempt = await attemptDelivery(this.#deps, delivery)
      if (crash) await crash('deliver.sent')
      if (attempt === null) this.#settler.giveBack([delivery])
      else accepted = this.#end(attempt)
    } catch (error) {
      // A bug. The lease is left to expire, which prevents a tight loop of failures of the same
      // delivery.
      this.#options.log.error({ error, orgId, endpointId, eventId }, 'an attempt broke off')
    }
    const now = clock.now()
    // After a running lease, the lanes that ran low meanwhile are checked.
    if (this.#lanes.ended(endpointId, { accepted, now }) && !this.#isTaking) this.wake()
    this.#settler.giveBack(this.#lanes.giveUp(now, [endpointId]))
    this.#begin(endpointId)
    this.#running.end()
  }

  /** Whether more attempts end soon, so that storing the ended ones can wait. */
  #isRush(): boolean {
    return this.#isLooping && this.#lanes.held > this.#running.count
  }

  #end(attempt: Attempt): boolean {
    this.#attempts += 1
    this.#settler.settle(attempt)
    report(this.#options.log, attempt)
    this.#options.onAttempt?.(attempt)
    return isAccepted(attempt.answer)
  }

  async #takeOrRest(signal: AbortSignal): Promise<number> {
    const { log, clock } = this.#options
    const work = 'webhook outbox'
    try {
      const taken = await this.#take()
      logSuccess({ clock, log }, work)
      return taken
    } catch (error) {
      if (error instanceof Outage) logOutage({ clock, log }, { work, outage: error })
      else log.error({ error }, 'the outbox cannot be read')
      await clock.sleep(AGAIN_AFTER_MS, signal)
      return 0
    }
  }

  /** Waits for a wake-up or the next poll. */
  async #rest(signal: AbortSignal): Promise<void> {
    if (!this.#isWoken && !signal.aborted)
      await this.#options.clock.sleep(this.#limits.pollMs, this.#alarm.signal)
    this.#isWoken = false
    this.#alarm = new AbortController()
  }

  async #drain(): Promise<void> {
    this.#settler.giveBack(this.#lanes.giveUp('all'))
    const over = new AbortController()
    const ended = this.#running.ended().finally(() => over.abort())
    await Promise.race([ended, this.#options.clock.sleep(this.#limits.graceMs, over.signal)])
    await this.close()
  }
}

/** The number of running attempts. */
class Running {
  #count = 0
  #waiting: (() => void)[] = []

  get count(): number {
    return this.#count
  }

  begin(): void {
    this.#count += 1
  }

  end(): void {
    this.#count -= 1
    if (this.#count > 0) return
    for (const tell of this.#waiting.splice(0)) tell()
  }

  /** Resolves when no attempt is running. */
  async ended(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}

function report(log: Log, attempt: Attempt): void {
  const { delivery, number, answer } = attempt
  const { state } = judge(attempt)
  if (state !== 'failed' && !log.isLevelEnabled('debug')) return
  const { orgId, endpointId, eventId } = delivery
  const facts = {
    orgId,
    endpointId,
    eventId,
    number,
    status: answer.status,
    reason: answer.error,
    state,
  }
  if (state === 'failed') log.warn(facts, 'a delivery failed permanently')
  else log.debug(facts, 'a delivery was tried')
}
