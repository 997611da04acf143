import type { Readable } from 'node:stream'
import type { StoredEvent as EventView } from '@sluice/wire'
import { isId } from '../../base/id.ts'
import type { EventFilter } from '../../webhooks/event.ts'
import { listEvents } from '../../webhooks/list-events.ts'
import { viewEvent } from './event-views.ts'
import { badRequest } from '../http/faults.ts'
import { type Page, answerList } from '../http/paging.ts'
import type { Call } from '../http/route.ts'

type EventQuery = Call<'getEvents'>['query']

/** Events of the caller's organization. Refuses with BAD_REQUEST (cursor). */
export function answerEvents(
  { database, caller, exporting }: Pick<Call<'getEvents'>, 'database' | 'caller' | 'exporting'>,
  query: EventQuery,
): Promise<Page<'events', EventView> | Readable> {
  const { orgId } = caller
  const filter = eventFilterOf(query)
  return answerList(
    { ...query, exporting },
    {
      key: 'events',
      // The feed is in ascending order, so its cursors do not fit the list.
      name: filter.after === undefined ? 'events' : 'feed',
      read: async (place, limit) => {
        const events = await database.forOrg(orgId, (tx) =>
          listEvents(tx, { orgId, filter, place, limit }),
        )
        return events.map((event) => ({ place: event, view: viewEvent(event) }))
      },
    },
  )
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
}: Omit<EventQuery, 'limit' | 'cursor'>): EventFilter {
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
