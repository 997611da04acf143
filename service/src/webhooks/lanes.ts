import type { Millis } from '../base/clock.ts'
import type { Delivery } from './delivery.ts'

/** Over how long it is counted what an organization's receiver takes. */
const WINDOW_MS = 1_000
/** What part of that is held in advance: long enough for the next lease to come in time. */
const AHEAD_PART = 1 / 2

export interface LaneLimits {
  /** Deliveries of one organization sent at once. */
  perOrganizationMax: number
  /** Deliveries that an organization may hold in advance, however quick it is. */
  aheadMax: number
  /** How long after its lease a delivery may still begin, so that it ends within the lease. */
  startWithinMs: number
}

interface Lane {
  waiting: Delivery[]
  running: number
  /** Accepted deliveries: in the window that began at `since`, and in the one before it. */
  since: Millis
  accepted: number
  acceptedBefore: number
  /** The last lease filled all the room it had: there is probably more. */
  hasMore: boolean
}

/**
 * Who may send how much: a lane for each organization, so that a receiver that hangs fills its own
 * lane and no other. Pure bookkeeping. A lane is given in advance a part of what its receiver took
 * in a second: so one that is slow holds nothing that another process could send, and one that is
 * quick is filled by few leases.
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

  /** Whether a lane ran low since the last `answer`, and was not filled. */
  get isCalling(): boolean {
    return this.#calls.size > 0
  }

  /** A lease begins: it answers all lanes that ran low until now. */
  answer(): void {
    this.#calls.clear()
  }

  /**
   * How many more deliveries of an organization may be leased now; none where it holds more than it
   * would be given by now.
   */
  roomOf(orgId: string, now: Millis): number {
    const lane = this.#lanes.get(orgId)
    return lane ? Math.max(this.#room(lane, now), 0) : this.#limits.perOrganizationMax
  }

  /** The organizations that can take no more. */
  full(now: Millis): string[] {
    return [...this.#lanes].filter(([, lane]) => this.#room(lane, now) <= 0).map(([orgId]) => orgId)
  }

  /** Takes leased deliveries of one organization in; `asked` is how many were asked for. */
  add(
    orgId: string,
    deliveries: readonly Delivery[],
    { asked, now }: { asked: number; now: Millis },
  ): void {
    const lane = this.#lane(orgId)
    lane.waiting.push(...deliveries)
    lane.hasMore = deliveries.length >= asked
    this.#held += deliveries.length
    if (!this.#isLow(lane, now)) this.#calls.delete(orgId)
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
    if (accepted) count(lane, now)
    if (lane.running === 0 && lane.waiting.length === 0 && !lane.hasMore) this.#lanes.delete(orgId)
    if (!this.#isLow(lane, now)) return false
    this.#calls.add(orgId)
    return true
  }

  /**
   * Gives up what has waited too long to end within its lease, or all that waits; of all
   * organizations where none is named.
   */
  giveUp(now: Millis | 'all', orgIds: Iterable<string> = this.#lanes.keys()): Delivery[] {
    const given: Delivery[] = []
    for (const orgId of orgIds) given.push(...this.#lateOf(orgId, now))
    this.#held -= given.length
    return given
  }

  /** A lane is filled in the order of its leases, so what is late stands in front. */
  #lateOf(orgId: string, now: Millis | 'all'): Delivery[] {
    const waiting = this.#lanes.get(orgId)?.waiting ?? []
    const isLate = ({ leasedAt }: Delivery) =>
      now === 'all' || now - leasedAt > this.#limits.startWithinMs
    const first = waiting.findIndex((delivery) => !isLate(delivery))
    // Nearly always: this is asked after each attempt.
    if (first === 0) return []
    return waiting.splice(0, first === -1 ? waiting.length : first)
  }

  #room(lane: Lane, now: Millis): number {
    return this.#capacity(lane, now) - lane.running - lane.waiting.length
  }

  #capacity(lane: Lane, now: Millis): number {
    const { perOrganizationMax, aheadMax } = this.#limits
    const ahead = Math.ceil(acceptedLately(lane, now) * AHEAD_PART)
    return perOrganizationMax + Math.min(ahead, aheadMax)
  }

  /** Half empty: so few leases fill it, and it does not run dry before one comes. */
  #isLow(lane: Lane, now: Millis): boolean {
    return lane.hasMore && lane.waiting.length < this.#capacity(lane, now) / 2
  }

  #lane(orgId: string): Lane {
    const known = this.#lanes.get(orgId)
    if (known) return known
    const counted = { since: 0, accepted: 0, acceptedBefore: 0 }
    const lane: Lane = { waiting: [], running: 0, ...counted, hasMore: false }
    this.#lanes.set(orgId, lane)
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

/** In the running window or, where that was more, in the one before; none once both are over. */
function acceptedLately(lane: Lane, now: Millis): number {
  const age = now - lane.since
  if (age >= 2 * WINDOW_MS) return 0
  return age >= WINDOW_MS ? lane.accepted : Math.max(lane.accepted, lane.acceptedBefore)
}
