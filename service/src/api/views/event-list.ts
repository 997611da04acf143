import type { Readable } from 'node:stream'
import type { StoredEvent as EventView } from '@sluice/wire'
import { isId } from '../../base/id.ts'
import type { EventFilter } from '../../webhooks/event.ts'
import { type AwaitDeps, listOrAwait } from './await-events.ts'
import { viewEvent } from './event-views.ts'
import type { Exporting } from '../http/exporting.ts'
import { badRequest } from '../http/faults.ts'
import { type Page, answerList } from '../http/paging.ts'
import type { Call } from '../http/route.ts'

type EventQuery = Call<'getEvents'>['query']

/** Events of the caller's organization. Refuses with BAD_REQUEST (cursor, wait, after). */
export function answerEvents(
  deps: AwaitDeps & Pick<Call<'getEvents'>, 'exporting'>,
  { wait = 0, ...query }: EventQuery,
): Promise<Page<'events', EventView> | Readable> {
  const { caller, exporting } = deps
  const filter = eventFilterOf(query)
  if (wait > 0) checkWait(filter, exporting)
  let waitMs = wait * 1_000
  return answerList(
    { ...query, exporting },
    {
      key: 'events',
      // The feed is in ascending order, so its cursors do not fit the list.
      name: filter.after === undefined ? 'events' : 'feed',
      read: async (place, limit) => {
        const page = { orgId: caller.orgId, filter, place, limit }
        const events = await listOrAwait(deps, page, waitMs)
        // The end of a streamed list is not waited for.
        waitMs = 0
        return events.map((event) => ({ place: event, view: viewEvent(event) }))
      },
    },
  )
}

function checkWait({ after }: EventFilter, exporting: Exporting | null): void {
  if (after === undefined) throw badRequest('after', '`after` is missing: `wait` needs it.')
  if (exporting !== null) throw badRequest('wait', '`wait` is for JSON only, not for exports.')
}

/** The filter of a request. Refuses with BAD_REQUEST (`endpointId`). */
export function eventFilterOf({
  after,
  type,
  subjectId,
  from,
  to,
  delivery,
  endpointId,
}: Omit<EventQuery, 'wait' | 'limit' | 'cursor'>): EventFilter {
  if (endpointId !== undefined && !isId(endpointId))
    throw badRequest('endpointId', '`endpointId` must be the id of a webhook endpoint.')
  return {
    ...(after !== undefined && { after }),
    ...(type !== undefined && { type }),
    ...(subjectId !== undefined && { subjectId }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(delivery !== undefined && { delivery }),
    ...(endpointId !== undefined && { endpointId }),
  }
}
