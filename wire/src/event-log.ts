import { type Static, Type } from 'typebox'
import type { Operation } from './define.ts'
import { AT, ORG_ID, RECEIVER_URL } from './examples.ts'
import { columns, renamed } from './exports.ts'
import { EVENTS, EVENT_TYPES, exampleEvent } from './events.ts'
import { count, text, timestamp, timestampOrNull } from './fields.ts'
import {
  EVENT_ID,
  LIST,
  NextCursor,
  Page,
  TimeFilter,
  endpointFilter,
  oneOf,
  search,
} from './parameters.ts'

/** The state of an event's delivery; `none` if no URL was set. */
export const DELIVERY_STATES = ['none', 'pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

export const EventDelivery = Type.Object({
  state: Type.Enum([...DELIVERY_STATES], {
    description:
      '`pending` until it is `delivered` (a 2xx) or `failed` (no attempts left); `none` if no ' +
      'URL was set: redeliver it after setting one.',
  }),
  attemptCount: count('Number of attempts, redeliveries included.'),
  lastStatus: Type.Union([Type.Integer({ minimum: 100, maximum: 999 }), Type.Null()], {
    description: 'The HTTP status of the last attempt; null without a response.',
  }),
  lastError: text('The error of the last attempt; empty without an error.'),
  nextAttemptAt: timestampOrNull('When the next attempt is due; null without a scheduled attempt.'),
  finishedAt: timestampOrNull('When it was delivered or failed; null until then.'),
})
export type EventDelivery = Static<typeof EventDelivery>

/** The delivery of an event to one endpoint. */
export const EndpointDelivery = Type.Object({
  endpointId: text('The webhook endpoint; it may have been deleted.'),
  ...EventDelivery.properties,
})
export type EndpointDelivery = Static<typeof EndpointDelivery>

/** An event in `GET /events`: its envelope (section 6.1) and its delivery. */
export const StoredEvent = Type.Object({
  id: text('Unique id, the `webhook-id` of every delivery.'),
  type: text('One of the types of the event catalogue.'),
  timestamp: timestamp('When it happened.'),
  orgId: text('The owning organization.'),
  sequence: count('Its number, without gaps; the value for `after`.'),
  subjectId: text('The id of the deposit, withdrawal, account or chain that it is about.'),
  payload: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The payload; its fields depend on the type.',
  }),
  delivery: EventDelivery,
})
export type StoredEvent = Static<typeof StoredEvent>

const Headers = Type.Record(Type.String(), Type.String(), {
  description: 'Header names in lower case.',
})

/** One attempt to deliver an event: the request and the response. */
export const DeliveryAttempt = Type.Object({
  endpointId: text('The webhook endpoint that it was sent to.'),
  number: count('1 for the first attempt.'),
  startedAt: timestamp('When it began.'),
  finishedAt: timestamp('When it ended.'),
  durationMs: count('Duration in milliseconds: name resolution, connection and response.'),
  request: Type.Object({
    method: text('POST.'),
    url: text('The URL without credentials; empty if no URL was set.'),
    headers: Headers,
    body: text('The exact text that was signed and sent.'),
  }),
  response: Type.Union(
    [
      Type.Object({
        status: Type.Integer({ description: 'The HTTP status; any 2xx acknowledges the event.' }),
        headers: Headers,
        body: text('The beginning of the body: 16 KiB, or 1 KiB of a 2xx.'),
      }),
      Type.Null(),
    ],
    { description: 'Null without a response.' },
  ),
  error: text(
    'Why the attempt failed: the status (`answered 500`), or the step that failed (name ' +
      'resolution, connection, TLS). Empty for any 2xx.',
  ),
})
export type DeliveryAttempt = Static<typeof DeliveryAttempt>

export const SingleEvent = Type.Object({
  ...StoredEvent.properties,
  deliveries: Type.Array(EndpointDelivery, {
    description: 'Its delivery to each webhook endpoint that receives it, the default one first.',
  }),
  attempts: Type.Array(DeliveryAttempt, {
    description: 'The newest 100 attempts, oldest first. Old attempts are deleted after a while.',
  }),
})
export type SingleEvent = Static<typeof SingleEvent>

export const RedeliveryCount = Type.Object({
  count: count('Number of events that are sent again.'),
  underWay: count('Number of events that were being sent at this moment and are not sent again.'),
})
export type RedeliveryCount = Static<typeof RedeliveryCount>

/** How many events are counted at most. */
export const EVENT_COUNT_MAX = 100_000

export const EventCount = Type.Object({
  count: count(`Number of matching events, at most ${EVENT_COUNT_MAX}.`),
  redeliverable: count(
    'Number of those that `POST /events/redeliver` with the same filter sends again: all but the ' +
      'types that the endpoint does not receive. Events that are being sent at that moment are ' +
      'left out then.',
  ),
  isAtLeast: Type.Boolean({
    description: `Whether more than ${EVENT_COUNT_MAX} events match; the newest are counted.`,
  }),
})
export type EventCount = Static<typeof EventCount>

const FEED =
  'Only events with a higher `sequence`, oldest first: the feed of all events, without gaps. ' +
  'Send the last `sequence` that you processed.'
const HIGHER = 'Only events with a higher `sequence`; 0 for all.'
function after(description: string) {
  return Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }))
}

/** The longest wait of a request, in seconds: shorter than the timeouts of the server. */
const WAIT_MAX = 30
const WAIT = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: WAIT_MAX,
    default: 0,
    description:
      'How many seconds the request waits for a matching event with a higher `sequence` than ' +
      '`after`, if there is none yet; it needs `after`. The list is empty if none was emitted. ' +
      'The answer may come early and empty, for example when the service stops or too many ' +
      'requests wait: pause for a second before you ask again. A changed `delivery` does not ' +
      'end the wait.',
  }),
)

/** Decisions, section 10. */
const EventFilter = {
  type: oneOf(EVENT_TYPES, 'Only events of this type.'),
  subjectId: search(
    'Only events of this record: the id of a deposit, withdrawal, account, chain or organization.',
  ),
  ...TimeFilter,
  delivery: oneOf(DELIVERY_STATES, 'Only events whose delivery is in this state.'),
  endpointId: endpointFilter('The webhook endpoint whose deliveries are shown and filtered.'),
}
/** Requires a filter, so that an empty body does not send everything again. */
export const RedeliveryRequest = Type.Object(
  {
    after: after(HIGHER),
    ...EventFilter,
  },
  {
    additionalProperties: false,
    minProperties: 1,
    description: 'The filters of `GET /events`: at least one, and no other field.',
  },
)

const FAILED: EventDelivery = {
  state: 'failed',
  attemptCount: 6,
  lastStatus: 500,
  lastError: '',
  nextAttemptAt: null,
  finishedAt: AT,
}
const PENDING: EventDelivery = { ...FAILED, state: 'pending', nextAttemptAt: AT, finishedAt: null }
const EVENT: StoredEvent = {
  ...exampleEvent('deposit.confirmed'),
  subjectId: EVENTS['deposit.confirmed'].example.id,
  payload: { ...EVENTS['deposit.confirmed'].example },
  delivery: FAILED,
}
const TEST_EVENT: StoredEvent = {
  ...exampleEvent('webhook.test'),
  subjectId: ORG_ID,
  payload: { ...EVENTS['webhook.test'].example },
  delivery: { ...PENDING, attemptCount: 0, lastStatus: null },
}
const ATTEMPT: DeliveryAttempt = {
  endpointId: ORG_ID,
  number: 6,
  startedAt: AT,
  finishedAt: AT,
  durationMs: 87,
  request: {
    method: 'POST',
    url: RECEIVER_URL,
    headers: { 'content-type': 'application/json', 'webhook-id': EVENT.id },
    body: JSON.stringify(exampleEvent('deposit.confirmed')),
  },
  response: {
    status: 500,
    headers: { 'content-type': 'text/plain' },
    body: 'Internal Server Error',
  },
  error: '',
}

export const EVENT_OPERATIONS = {
  getEvents: {
    method: 'GET',
    path: '/events',
    tag: 'Events',
    summary: 'Lists events, newest first; with `after` a feed, oldest first',
    description:
      'Complete even if the webhook was down. To follow all events, send the last `sequence` ' +
      'that you processed as `after`: oldest first, without gaps. With `wait` (long poll) the ' +
      `answer comes as soon as there is an event. Without \`after\`: ${LIST}`,
    credential: 'either',
    permission: 'read',
    query: Type.Object({ after: after(FEED), wait: WAIT, ...EventFilter, ...Page }),
    responses: { 200: Type.Object({ events: Type.Array(StoredEvent), nextCursor: NextCursor }) },
    export: {
      name: 'events',
      columns: [
        ...columns('id', 'sequence', 'type', 'timestamp', 'subjectId'),
        renamed('deliveryState', 'delivery.state'),
        renamed('attemptCount', 'delivery.attemptCount'),
        renamed('lastStatus', 'delivery.lastStatus'),
        renamed('lastError', 'delivery.lastError'),
        renamed('finishedAt', 'delivery.finishedAt'),
        ...columns('payload'),
      ],
    },
    errors: [],
    example: {
      query: { type: 'deposit.confirmed', delivery: 'failed', limit: 50 },
      answers: { 200: { events: [EVENT], nextCursor: null } },
    },
  },
  getEventsCount: {
    method: 'GET',
    path: '/events/count',
    tag: 'Events',
    summary: 'Counts the events that match a filter',
    description:
      'Takes the filters of `POST /events/redeliver`; without a filter it counts all events. ' +
      'Refuses an unknown `endpointId` with NOT_FOUND.',
    credential: 'either',
    permission: 'read',
    query: Type.Object({ after: after(HIGHER), ...EventFilter }),
    responses: { 200: Type.Object({ eventCount: EventCount }) },
    errors: ['NOT_FOUND'],
    example: {
      query: { delivery: 'failed', from: '2026-01-31T00:00:00.000Z' },
      answers: { 200: { eventCount: { count: 7, redeliverable: 7, isAtLeast: false } } },
    },
  },
  getEvent: {
    method: 'GET',
    path: '/events/:id',
    tag: 'Events',
    summary: 'Returns an event with its delivery attempts',
    description: 'Each attempt includes the request and the response.',
    credential: 'either',
    permission: 'read',
    params: Type.Object({ id: EVENT_ID }),
    responses: { 200: Type.Object({ event: SingleEvent }) },
    errors: [],
    example: {
      params: { id: EVENT.id },
      answers: {
        200: {
          event: {
            ...EVENT,
            deliveries: [{ endpointId: ORG_ID, ...FAILED }],
            attempts: [ATTEMPT],
          },
        },
      },
    },
  },
  postEventRedeliver: {
    method: 'POST',
    path: '/events/:id/redeliver',
    tag: 'Events',
    summary: 'Sends an event again, under the same id',
    description:
      'Sends it at once to the current URL, in any state of its delivery. A delivery in ' +
      'progress is not repeated; one that is pending for a replaced URL still goes to that URL. ' +
      'The `webhook-id` stays the same, so that a receiver can deduplicate.',
    credential: 'either',
    permission: 'sendEvents',
    params: Type.Object({ id: EVENT_ID }),
    query: Type.Object({
      endpointId: endpointFilter('The webhook endpoint that it is sent to.'),
    }),
    responses: { 200: Type.Object({ event: StoredEvent }) },
    errors: ['INVALID_WEBHOOK_URL'],
    example: {
      params: { id: EVENT.id },
      answers: { 200: { event: { ...EVENT, delivery: PENDING } } },
    },
  },
  postEventsRedeliver: {
    method: 'POST',
    path: '/events/redeliver',
    tag: 'Events',
    summary: 'Sends all events again that match a filter',
    description:
      'Takes the filters of `GET /events`, at least one, and any number of events. `count` is ' +
      'the number of events that are sent.',
    credential: 'either',
    permission: 'sendEvents',
    body: RedeliveryRequest,
    responses: { 200: RedeliveryCount },
    errors: ['INVALID_WEBHOOK_URL'],
    example: {
      body: { delivery: 'failed', from: '2026-01-31T00:00:00.000Z' },
      answers: { 200: { count: 7, underWay: 0 } },
    },
  },
  postWebhookTest: {
    method: 'POST',
    path: '/organisation/webhook/test',
    tag: 'Events',
    summary: 'Sends a test event to the webhook URL',
    description:
      'A `webhook.test` event, signed like every other event and sent once. `GET /events/{id}` ' +
      'shows the result.',
    credential: 'either',
    permission: 'sendEvents',
    responses: { 200: Type.Object({ event: StoredEvent }) },
    errors: ['INVALID_WEBHOOK_URL'],
    example: { answers: { 200: { event: TEST_EVENT } } },
  },
} as const satisfies Record<string, Operation>
