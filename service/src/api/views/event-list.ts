import type { Readable } from 'node:stream'
import {
  DELIVERY_STATES,
  type DeliveryState,
  EVENT_TYPES,
  type EventType,
  type StoredEvent as EventView,
} from '@sluice/wire'
import type { Caller } from '../../orgs/caller.ts'
import type { EventFilter } from '../../webhooks/event.ts'
import { listEvents } from '../../webhooks/list-events.ts'
import { viewEvent } from './event-views.ts'
import { badRequest } from '../http/faults.ts'
import type { ServerMeans } from '../http/means.ts'
import { type Page, answerList } from '../http/paging.ts'
import { parseTime } from '../http/parse-values.ts'

/** What events are narrowed by, as it stands in a query or in a body (decisions, 10). */
export interface EventFilterText {
  after?: string | number
  type?: string
  from?: string
  to?: string
  delivery?: string
}

/** Events of the caller's organization. Refuses with BAD_REQUEST. */
export function answerEvents(
  { database, caller }: Pick<ServerMeans, 'database'> & { caller: Caller },
  query: EventFilterText & { limit?: string; cursor?: string },
): Promise<Page<'events', EventView> | Readable> {
  const { orgId } = caller
  const filter = parseEventFilter(query)
  return answerList(query, {
    key: 'events',
    // The feed goes upwards: a place of the one is none of the other.
    name: filter.after === undefined ? 'events' : 'feed',
    read: async (place, limit) => {
      const events = await database.forOrg(orgId, (tx) =>
        listEvents(tx, { orgId, filter, place, limit }),
      )
      return events.map((event) => ({ place: event, view: viewEvent(event) }))
    },
  })
}

/** Refuses with BAD_REQUEST. */
export function parseEventFilter({
  after,
  type,
  from,
  to,
  delivery,
}: EventFilterText): EventFilter {
  return {
    ...(after !== undefined && { after: parseAfter(String(after)) }),
    ...(type !== undefined && { type: parseType(type) }),
    ...(from !== undefined && { from: parseTime('from', from) }),
    ...(to !== undefined && { to: parseTime('to', to) }),
    ...(delivery !== undefined && { delivery: parseDelivery(delivery) }),
  }
}

function parseAfter(text: string): number {
  const after = /^(?:0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(after)) return after
  throw badRequest('after', 'after must be the sequence of an event, or 0.')
}

function parseType(text: string): EventType {
  const type = EVENT_TYPES.find((one) => one === text)
  if (type !== undefined) return type
  throw badRequest('type', `type must be one of ${EVENT_TYPES.join(', ')}.`)
}

function parseDelivery(text: string): DeliveryState {
  const state = DELIVERY_STATES.find((one) => one === text)
  if (state !== undefined) return state
  throw badRequest('delivery', `delivery must be one of ${DELIVERY_STATES.join(', ')}.`)
}
