import { Refusal } from '../base/fault.ts'
import { isId } from '../base/id.ts'
import type { Tx } from '../store/database.ts'
import { describeAnswer } from './describe-answer.ts'
import type { EventFilter, StoredAttempt, StoredEvent } from './event.ts'
import { selectAttempts, selectEvent, selectEvents, selectOwner } from './event-rows.ts'

/** However often an event was sent again, so many of its attempts are shown. */
const ATTEMPTS_SHOWN_MAX = 100

/**
 * A part of an organization's events, the newest first; with `after` in the filter, which makes
 * them the feed, the oldest first. `place` is the event after which to go on; fewer than `limit`
 * come back only at the end. Numbers have no gaps and become visible in their order, so whoever
 * asks the feed again with the last number it has misses none.
 */
export async function listEvents(
  tx: Tx,
  given: { orgId: string; filter: EventFilter; place: { id: string } | null; limit: number },
): Promise<StoredEvent[]> {
  const isUpwards = given.filter.after !== undefined
  return (await selectEvents(tx, { ...given, isUpwards })).map(inWords)
}

/** One event with its newest attempts, in their order. Refuses with NOT_FOUND. */
export async function readEvent(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<{ event: StoredEvent; attempts: StoredAttempt[] }> {
  const event = isId(id) ? await selectEvent(tx, { orgId, id }) : null
  if (event === null) refuseUnknownEvent()
  const newest = await selectAttempts(tx, { orgId, eventId: id, limit: ATTEMPTS_SHOWN_MAX })
  const attempts = newest.map((one) => ({ ...one, error: describeAnswer(one) }))
  return { event: inWords(event), attempts: attempts.reverse() }
}

/** With what its last attempt came to, which is kept as a status where an answer was whole. */
function inWords(event: StoredEvent): StoredEvent {
  const { lastStatus: status, lastError: error } = event
  return { ...event, lastError: describeAnswer({ status, error }) }
}

/** The organization of an event, for an operator. Refuses with NOT_FOUND. */
export async function findOwner(tx: Tx, id: string): Promise<string> {
  const owner = isId(id) ? await selectOwner(tx, id) : null
  if (owner !== null) return owner
  throw new Refusal('NOT_FOUND', {}, 'No event has this id: sluice event list --org <id>')
}

/** Another organization's event is refused just so. */
export function refuseUnknownEvent(): never {
  throw new Refusal('NOT_FOUND', {}, 'No event of your organization has this id.')
}
