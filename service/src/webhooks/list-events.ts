import { Refusal } from '../base/fault.ts'
import { isId } from '../base/id.ts'
import type { Tx } from '../store/database.ts'
import { describeAnswer } from './describe-answer.ts'
import type { EventFilter, StoredAttempt, StoredDelivery, StoredEvent } from './event.ts'
import {
  selectAttempts,
  selectDeliveries,
  selectEvent,
  selectEvents,
  selectLastSequence,
  selectOwner,
} from './event-rows.ts'

/** The most attempts of an event that are shown. */
const ATTEMPTS_SHOWN_MAX = 100

/** A page of a list of events. */
export interface EventPage {
  orgId: string
  filter: EventFilter
  place: { id: string } | null
  limit: number
}

/**
 * A page of an organization's events, newest first; oldest first with `after` in the filter (the
 * feed). `place` is the event before the page; a page shorter than `limit` is the last. Numbers
 * have no gaps and become visible in order, so that a client that continues from its last number
 * misses no event.
 */
export async function listEvents(tx: Tx, page: EventPage): Promise<StoredEvent[]> {
  const isUpwards = page.filter.after !== undefined
  return (await selectEvents(tx, { ...page, isUpwards })).map(inWords)
}

/**
 * The same with the number of the organization's newest event. It is read before the page, so each
 * event that was emitted too late for the page has a higher number.
 */
export async function listEventsSeen(
  tx: Tx,
  page: EventPage,
): Promise<{ events: StoredEvent[]; seen: number }> {
  const seen = await selectLastSequence(tx, page.orgId)
  return { events: await listEvents(tx, page), seen }
}

/** One event with its deliveries and newest attempts, in their order. Refuses with NOT_FOUND. */
export async function readEvent(
  tx: Tx,
  params: { orgId: string; id: string; endpointId?: string },
): Promise<{ event: StoredEvent; deliveries: StoredDelivery[]; attempts: StoredAttempt[] }> {
  const { orgId, id } = params
  const event = isId(id) ? await selectEvent(tx, params) : null
  if (event === null) refuseUnknownEvent()
  const newest = await selectAttempts(tx, { orgId, eventId: id, limit: ATTEMPTS_SHOWN_MAX })
  const attempts = newest.map((one) => ({ ...one, error: describeAnswer(one) }))
  const deliveries = await selectDeliveries(tx, { orgId, eventId: id })
  return {
    event: inWords(event),
    deliveries: deliveries.map(inWords),
    attempts: attempts.reverse(),
  }
}

/** Adds the result of the last attempt, which is stored as a status if the answer was complete. */
function inWords<T extends Pick<StoredEvent, 'lastStatus' | 'lastError'>>(stored: T): T {
  const { lastStatus: status, lastError: error } = stored
  return { ...stored, lastError: describeAnswer({ status, error }) }
}

/** The organization of an event, for an operator. Refuses with NOT_FOUND. */
export async function findOwner(tx: Tx, id: string): Promise<string> {
  const owner = isId(id) ? await selectOwner(tx, id) : null
  if (owner !== null) return owner
  throw new Refusal('NOT_FOUND', {}, 'No event has this id: sluice event list --org <id>')
}

/** The same answer as for another organization's event. */
export function refuseUnknownEvent(): never {
  throw new Refusal('NOT_FOUND', {}, 'No event of your organization has this id.')
}
