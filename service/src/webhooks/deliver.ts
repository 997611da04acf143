import type { Clock, Millis } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import { type Log, logOutage, logSuccess } from '../base/log.ts'
import type { ServiceKey } from '../keys/service-key.ts'
import type { Database } from '../store/database.ts'
import { attemptDelivery } from './attempt.ts'
import type { AttemptMeans } from './attempt.ts'
import type { DelivererCrash } from './crash-points.ts'
import { Deadlines } from './deadlines.ts'
import { isAccepted, judge } from './delivery.ts'
import type { Attempt, Delivery } from './delivery.ts'
import { FIRST_ORGANIZATION } from './delivery-rows.ts'
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

/** The pause after the database was away. */
const AGAIN_AFTER_MS = 500

export interface DelivererOptions {
  database: Database
  serviceKey: ServiceKey
  clock: Clock
  log: Log
  rules: TargetRules
  resolve: Resolve
  limits?: Partial<DelivererLimits>
  /** How posts are sent; by HTTP unless given. */
  openPoster?: (options: PosterOptions) => Poster
  /** Certificates to trust instead of the machine's own, PEM. */
  ca?: string
  /** Hears of each attempt when it has ended, for the metrics. */
  onAttempt?: (attempt: Attempt) => void
  /** Where a test ends the process. */
  crash?: DelivererCrash
}

/** The loop that brings events to their receivers. Any number of processes may run one. */
export interface Deliverer {
  /** Makes all deliveries that are due, writes them down, and says how many attempts those were. */
  tick(): Promise<number>
  /**
   * Delivers until the signal, then lets running attempts end for a moment and gives the others
   * back.
   */
  run(signal: AbortSignal): Promise<void>
  /** Look at the outbox now: something was committed. */
  wake(): void
  /**
   * Cuts everything off. Attempts cut off are not counted; their deliveries are due again at once.
   */
  close(): Promise<void>
}

/** Opens the deliverer; nothing is sent before `tick` or `run`. */
export function openDeliverer(options: DelivererOptions): Deliverer {
  return new Outgoing(options, { ...DELIVERER_LIMITS, ...options.limits })
}

class Outgoing implements Deliverer {
  readonly #options: DelivererOptions
  readonly #limits: DelivererLimits
  readonly #lanes: Lanes
  readonly #deadlines: Deadlines
  readonly #poster: Poster
  readonly #means: AttemptMeans
  readonly #settler: Settler
  readonly #running = new Running()
  #after = FIRST_ORGANIZATION
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
    this.#means = { clock: options.clock, poster: this.#poster, targetOf }
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
      // More organizations wait than a batch holds, or a lane ran low meanwhile.
      const isMore = this.#after !== FIRST_ORGANIZATION || this.#lanes.isCalling
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

  /** Leases what there is room for and begins it. How many deliveries that were. */
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
    for (const { orgId, asked, deliveries } of lanes) {
      this.#lanes.add(orgId, deliveries, { asked, now: this.#options.clock.now() })
      this.#begin(orgId)
      taken += deliveries.length
    }
    return taken
  }

  #lease(room: number, now: Millis): Promise<Batch> {
    return leaseBatch(this.#options, {
      limit: Math.min(room, this.#limits.batchMax),
      leaseMs: this.#limits.leaseMs,
      full: this.#lanes.full(now),
      roomOf: (orgId) => this.#lanes.roomOf(orgId, now),
      after: this.#after,
    })
  }

  /** Begins what an organization's lane lets through. */
  #begin(orgId: string): void {
    for (let next = this.#lanes.next(orgId); next !== null; next = this.#lanes.next(orgId)) {
      this.#running.begin()
      void this.#attempt(next)
    }
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const { clock, crash } = this.#options
    const { orgId } = delivery
    let accepted = false
    try {
      const attempt = await attemptDelivery(this.#means, delivery)
      if (crash) await crash('deliver.sent')
      if (attempt === null) this.#settler.giveBack([delivery])
      else accepted = this.#end(attempt)
    } catch (error) {
      // A bug. The lease is left to its end, lest the same delivery fail over and over without a
      // pause.
      this.#options.log.error({ error, orgId, eventId: delivery.eventId }, 'an attempt broke off')
    }
    const now = clock.now()
    // A lease under way is followed by a look at the lanes that ran low meanwhile.
    if (this.#lanes.ended(orgId, { accepted, now }) && !this.#isTaking) this.wake()
    this.#settler.giveBack(this.#lanes.giveUp(now, [orgId]))
    this.#begin(orgId)
    this.#running.end()
  }

  /** Whether more attempts will end soon, worth waiting for before those that have are written. */
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

  /** Until somebody wakes the loop, or the next look. */
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

/** How many attempts are under way. */
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

  /** Resolves once none is under way. */
  async ended(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}

function report(log: Log, attempt: Attempt): void {
  const { delivery, number, answer } = attempt
  const { state } = judge(attempt)
  if (state !== 'failed' && !log.isLevelEnabled('debug')) return
  const { orgId, eventId } = delivery
  const facts = { orgId, eventId, number, status: answer.status, reason: answer.error, state }
  if (state === 'failed') log.warn(facts, 'a delivery failed for good')
  else log.debug(facts, 'a delivery was tried')
}
