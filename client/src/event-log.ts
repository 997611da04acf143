import type { Download, ExportFormat, ExportOptions, ExportStream } from './download.ts'
import type { WebhookEvent } from './events.ts'
import type {
  DeliveryAttempt,
  EndpointDelivery,
  EventCount,
  RedeliveryCount,
  StoredEvent,
} from './generated.ts'
import type { Body, CallOptions, Filter, Time } from './operation.ts'
import { eachOf, type Page, type PageOptions, paged, toPage } from './pages.ts'
import type { Ask } from './transport.ts'

/** An event as the service stores it: the webhook's payload, and its delivery. */
export type RecordedEvent = WebhookEvent & Pick<StoredEvent, 'subjectId' | 'delivery'>

/** Which events are sent again; at least one condition. */
export type RedeliveryFilter = Omit<Body<'postEventsRedeliver'>, 'from' | 'to'> & {
  from?: Time
  to?: Time
}

/** The events for the webhook, and their deliveries. */
export interface Events {
  /**
   * A page of the events, newest first; with `after` the feed, oldest first. With `wait` the answer
   * comes as soon as there is an event, and `timeoutMs` begins after the wait.
   */
  list(
    filter?: Filter<'getEvents'> & PageOptions,
    options?: CallOptions,
  ): Promise<Page<RecordedEvent>>
  /**
   * Every event, page after page. With `after`, those with a higher `sequence`, oldest first: keep
   * the last one you have worked off, ask from there again, and no event is ever missed. With
   * `wait` it ends after the first events, or after the wait.
   */
  all(
    filter?: Filter<'getEvents'>,
    options?: CallOptions,
  ): AsyncGenerator<RecordedEvent, void, undefined>
  /** How many events match, and how many of them `redeliverAll` sends; up to a maximum. */
  count(filter?: Filter<'getEventsCount'>, options?: CallOptions): Promise<EventCount>
  /** All matching events as CSV or JSON Lines, as the service writes them. */
  export(
    format: ExportFormat,
    filter?: Filter<'getEvents'>,
    options?: ExportOptions,
  ): Promise<ExportStream>
  /** One event, with the attempts to deliver it. */
  get(
    id: string,
    options?: CallOptions,
  ): Promise<RecordedEvent & { deliveries: EndpointDelivery[]; attempts: DeliveryAttempt[] }>
  /**
   * Sends an event again, under the same id: to the default webhook endpoint, or to `endpointId`.
   * Not retried automatically.
   */
  redeliver(id: string, options?: CallOptions & { endpointId?: string }): Promise<RecordedEvent>
  /** Sends all matching events again, without a limit. Not retried automatically. */
  redeliverAll(filter: RedeliveryFilter, options?: CallOptions): Promise<RedeliveryCount>
}

export function openEvents(ask: Ask, download: Download): Events {
  const list: Events['list'] = async (filter, options) => {
    const answer = await ask('getEvents', { query: paged(filter) }, options)
    return toPage(answer.events.map(toEvent), answer.nextCursor)
  }
  return {
    list,
    all: (filter, options) => eachOf((part) => list({ ...filter, ...part }, options)),
    count: async (filter, options) =>
      (await ask('getEventsCount', { query: { ...filter } }, options)).eventCount,
    export: (format, filter, options) =>
      download('getEvents', format, { query: { ...filter } }, options),
    get: async (id, options) => toEvent((await ask('getEvent', { path: { id } }, options)).event),
    redeliver: async (id, { endpointId, ...options } = {}) => {
      const input = { path: { id }, query: { endpointId } }
      return toEvent((await ask('postEventRedeliver', input, options)).event)
    },
    redeliverAll: (body, options) => ask('postEventsRedeliver', { body }, options),
  }
}

/** Events are listed as they were sent, so their payloads have the shape of their type. */
export function toEvent<Event extends StoredEvent>(
  event: Event,
): WebhookEvent & Omit<Event, keyof WebhookEvent> {
  return event as unknown as WebhookEvent & Omit<Event, keyof WebhookEvent>
}
