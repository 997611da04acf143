import type { Millis } from '../base/clock.ts'
import type { Delivery } from './delivery.ts'

/** The window over which accepted deliveries are counted. */
const WINDOW_MS = 1_000
/** The part of them that is leased in advance: enough until the next lease. */
const AHEAD_PART = 1 / 2

export interface LaneLimits {
  /** Concurrent deliveries to one endpoint. */
  perEndpointMax: number
  /** The most deliveries that an endpoint may hold in advance. */
  aheadMax: number
  /** How long after its lease a delivery may begin, so that it ends within the lease. */
  startWithinMs: number
}

interface Lane {
  waiting: Delivery[]
  running: number
  /** Accepted deliveries in the window that began at `since`, and in the previous one. */
  since: Millis
  accepted: number
  acceptedBefore: number
  /** Whether the last lease was full: there are probably more. */
  hasMore: boolean
}

/**
 * Bookkeeping of one lane per endpoint, so that a hanging receiver fills only its own lane. A
 * lane gets a part of what its receiver accepted per second in advance: a slow receiver holds back
 * no deliveries that another process could send, and a fast one needs few leases.
 */
export class Lanes {
  readonly #limits: LaneLimits
  readonly #lanes = new Map<string, Lane>()
  readonly #calls = new Set<string>()
  #held = 0

  constructor(limits: LaneLimits) {
    this.#limits = limits
  }

  /** Deliveries waiting or running. */
  get held(): number {
    return this.#held
  }

  /** Whether a lane ran low since the last `answer` without being filled. */
  get isCalling(): boolean {
    return this.#calls.size > 0
  }

  /** Called when a lease begins; it serves all lanes that ran low until now. */
  answer(): void {
    this.#calls.clear()
  }

  /** How many more deliveries to an endpoint may be leased now; 0 if it already holds more. */
  roomOf(endpointId: string, now: Millis): number {
    const lane = this.#lanes.get(endpointId)
    return lane ? Math.max(this.#room(lane, now), 0) : this.#limits.perEndpointMax
  }

  /** The endpoints whose lanes are full. */
  full(now: Millis): string[] {
    return [...this.#lanes]
      .filter(([, lane]) => this.#room(lane, now) <= 0)
      .map(([endpointId]) => endpointId)
  }

  /** Adds leased deliveries to one endpoint; `asked` is the requested number. */
  add(
    endpointId: string,
    deliveries: readonly Delivery[],
    { asked, now }: { asked: number; now: Millis },
  ): void {
    const lane = this.#lane(endpointId)
    lane.waiting.push(...deliveries)
    lane.hasMore = deliveries.length >= asked
    this.#held += deliveries.length
    if (!this.#isLow(lane, now)) this.#calls.delete(endpointId)
  }

  /** The endpoint's next delivery to begin now, or null. */
  next(endpointId: string): Delivery | null {
    const lane = this.#lanes.get(endpointId)
    if (!lane || lane.running >= this.#limits.perEndpointMax) return null
    const delivery = lane.waiting.shift()
    if (!delivery) return null
    lane.running += 1
    return delivery
  }

  /** Ends a delivery of `next`. Returns true if the lane runs low and more are probably due. */
  ended(endpointId: string, { accepted, now }: { accepted: boolean; now: Millis }): boolean {
    const lane = this.#lane(endpointId)
    lane.running -= 1
    this.#held -= 1
    if (accepted) count(lane, now)
    if (lane.running === 0 && lane.waiting.length === 0 && !lane.hasMore)
      this.#lanes.delete(endpointId)
    if (!this.#isLow(lane, now)) return false
    this.#calls.add(endpointId)
    return true
  }

  /**
   * Removes waiting deliveries that cannot end within their lease, or all, of these endpoints
   * (default: all).
   */
  giveUp(now: Millis | 'all', endpointIds: Iterable<string> = this.#lanes.keys()): Delivery[] {
    const removed: Delivery[] = []
    for (const endpointId of endpointIds) removed.push(...this.#lateOf(endpointId, now))
    this.#held -= removed.length
    return removed
  }

  /** A lane is in the order of its leases, so expired ones are at the front. */
  #lateOf(endpointId: string, now: Millis | 'all'): Delivery[] {
    const waiting = this.#lanes.get(endpointId)?.waiting ?? []
    const isLate = ({ leasedAt }: Delivery) =>
      now === 'all' || now - leasedAt > this.#limits.startWithinMs
    const first = waiting.findIndex((delivery) => !isLate(delivery))
    // The usual case; this runs after each attempt.
    if (first === 0) return []
    return waiting.splice(0, first === -1 ? waiting.length : first)
  }

  #room(lane: Lane, now: Millis): number {
    return this.#capacity(lane, now) - lane.running - lane.waiting.length
  }

  #capacity(lane: Lane, now: Millis): number {
    const { perEndpointMax, aheadMax } = this.#limits
    const ahead = Math.ceil(acceptedLately(lane, now) * AHEAD_PART)
    return perEndpointMax + Math.min(ahead, aheadMax)
  }

  /** Half empty: few leases fill the lane, and it does not run dry before the next. */
  #isLow(lane: Lane, now: Millis): boolean {
    return lane.hasMore && lane.waiting.length < this.#capacity(lane, now) / 2
  }

  #lane(endpointId: string): Lane {
    const known = this.#lanes.get(endpointId)
    if (known) return known
    const counted = { since: 0, accepted: 0, acceptedBefore: 0 }
    const lane: Lane = { waiting: [], running: 0, ...counted, hasMore: false }
    this.#lanes.set(endpointId, lane)
    return lane
  }
}

function count(lane: Lane, now: Millis): void {
  if (now - lane.since >= WINDOW_MS) {
    lane.acceptedBefore = acceptedLately(lane, now)
    lane.accepted = 0
    lane.since = now
  }
  lane.accepted += 1
}

/** The count of the current window or, if higher, of the previous one; 0 after both. */
function acceptedLately(lane: Lane, now: Millis): number {
  const age = now - lane.since
  if (age >= 2 * WINDOW_MS) return 0
  return age >= WINDOW_MS ? lane.accepted : Math.max(lane.accepted, lane.acceptedBefore)
}
