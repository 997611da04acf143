import type { Millis } from '../../base/clock.ts'
import type { StoredEvent } from '../../webhooks/event.ts'
import { type EventPage, listEvents, listEventsSeen } from '../../webhooks/list-events.ts'
import { forCaller } from '../http/for-caller.ts'
import type { Call } from '../http/route.ts'

export type AwaitDeps = Pick<
  Call<'getEvents'>,
  'database' | 'serviceKey' | 'clock' | 'caller' | 'eventWatch' | 'untilClosed'
>

/**
 * A page of events. If it is empty, waits up to `waitMs` for a matching event. The credential must
 * still be valid after the wait: refuses as `forCaller` does.
 */
export async function listOrAwait(
  deps: AwaitDeps,
  page: EventPage,
  waitMs: Millis,
): Promise<StoredEvent[]> {
  const { database, clock, eventWatch } = deps
  const { orgId } = page
  if (waitMs === 0) return database.forOrg(orgId, (tx) => listEvents(tx, page))
  const until = clock.now() + waitMs
  const signal = deps.untilClosed()
  let found = await database.forOrg(orgId, (tx) => listEventsSeen(tx, page))
  let isOver = false
  while (found.events.length === 0 && !isOver) {
    isOver = !(await eventWatch.next({ orgId, seen: found.seen, until, signal }))
    if (signal.aborted) return []
    found = await forCaller(deps, (tx) => listEventsSeen(tx, page))
  }
  return found.events
}
