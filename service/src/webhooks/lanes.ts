import type { Millis } from '../base/clock.ts'
import type { Delivery } from './delivery.ts'

/** How long after an accepted delivery an organization's receiver still counts as quick. */
const QUICK_FOR_MS = 1_000

export interface LaneLimits {
  /** Deliveries of one organization sent at once. */
  perOrganizationMax: number
  /** Deliveries that a quick organization may hold in advance, and that are leased at once. */
  batchMax: number
  /** How long after its lease a delivery may still begin, so that it ends within the lease. */
  startWithinMs: number
}

interface Lane {
  waiting: Delivery[]
  running: number
  acceptedAt: Millis | null
  /** The last lease filled all the room it had: there is probably more. */
  hasMore: boolean
}

/**
 * Who may send how much: a lane for each organization, so that a receiver that hangs fills its own
 * lane and no other. Pure bookkeeping. Only a lane that moves is given deliveries ahead of their
 * start.
 */
export class Lanes {
  readonly #limits: LaneLimits
  readonly #lanes = new Map<string, Lane>()
  #held = 0

  constructor(limits: LaneLimits) {
    this.#limits = limits
  }

  /** Deliveries waiting or running. */
  get held(): number {
    return this.#held
  }

  /** How many more deliveries of an organization may be leased now. */
  roomOf(orgId: string, now: Millis): number {
    const lane = this.#lanes.get(orgId)
    return lane ? this.#room(lane, now) : this.#limits.perOrganizationMax
  }

  /** The organizations that can take no more. */
  full(now: Millis): string[] {
    return [...this.#lanes].filter(([, lane]) => this.#room(lane, now) <= 0).map(([orgId]) => orgId)
  }

  /** Takes leased deliveries of one organization in; `asked` is how many were asked for. */
  add(orgId: string, deliveries: readonly Delivery[], asked: number): void {
    const lane = this.#lane(orgId)
    lane.waiting.push(...deliveries)
    lane.hasMore = deliveries.length >= asked
    this.#held += deliveries.length
  }

  /** The delivery of this organization to begin now, or null. */
  next(orgId: string): Delivery | null {
    const lane = this.#lanes.get(orgId)
    if (!lane || lane.running >= this.#limits.perOrganizationMax) return null
    const delivery = lane.waiting.shift()
    if (!delivery) return null
    lane.running += 1
    return delivery
  }

  /**
   * A delivery that `next` gave has ended. True where the lane runs low and more is probably due.
   */
  ended(orgId: string, { accepted, now }: { accepted: boolean; now: Millis }): boolean {
    const lane = this.#lane(orgId)
    lane.running -= 1
    this.#held -= 1
    if (accepted) lane.acceptedAt = now
    const low = lane.hasMore && lane.waiting.length < this.#limits.perOrganizationMax
    if (lane.running === 0 && lane.waiting.length === 0 && !lane.hasMore) this.#lanes.delete(orgId)
    return low
  }

  /** Gives up what has waited too long to end within its lease, or all that waits. */
  giveUp(now: Millis | 'all'): Delivery[] {
    const stale = (delivery: Delivery) =>
      now === 'all' || now - delivery.leasedAt > this.#limits.startWithinMs
    const given: Delivery[] = []
    for (const lane of this.#lanes.values()) {
      given.push(...lane.waiting.filter(stale))
      lane.waiting = lane.waiting.filter((delivery) => !stale(delivery))
    }
    this.#held -= given.length
    return given
  }

  #room(lane: Lane, now: Millis): number {
    const { perOrganizationMax, batchMax } = this.#limits
    const isQuick = lane.acceptedAt !== null && now - lane.acceptedAt < QUICK_FOR_MS
    const capacity = isQuick ? perOrganizationMax + batchMax : perOrganizationMax
    return capacity - lane.running - lane.waiting.length
  }

  #lane(orgId: string): Lane {
    const known = this.#lanes.get(orgId)
    if (known) return known
    const lane = { waiting: [], running: 0, acceptedAt: null, hasMore: false }
    this.#lanes.set(orgId, lane)
    return lane
  }
}
