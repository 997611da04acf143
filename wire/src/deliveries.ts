import { type Static, Type } from 'typebox'
import { count, text, timestamp, timestampOrNull } from './fields.ts'

/** The state of an event's delivery; `none` if no URL was set. */
export const DELIVERY_STATES = ['none', 'pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

function statusOrNull(description: string) {
  return Type.Union([Type.Integer({ minimum: 100, maximum: 999 }), Type.Null()], { description })
}

export const EventDelivery = Type.Object({
  state: Type.Enum([...DELIVERY_STATES], {
    description:
      '`pending` while it is tried, `delivered` once a 2xx came, `failed` once it was given up, ' +
      '`none` where no URL was set: redeliver it once there is one.',
  }),
  attemptCount: count('How often it was tried, redeliveries included.'),
  lastStatus: statusOrNull('The HTTP status of the last attempt; null where no answer came.'),
  lastError: text('What went wrong with the last attempt, in words; empty for nothing.'),
  nextAttemptAt: timestampOrNull('When it is tried next; null while nothing waits.'),
  finishedAt: timestampOrNull('When it was delivered or given up; null until then.'),
})
export type EventDelivery = Static<typeof EventDelivery>

/** An event as `GET /events` lists it: its envelope (section 6.1), and its way to the receiver. */
export const StoredEvent = Type.Object({
  id: text('Unique id, the `webhook-id` of every delivery.'),
  type: text('What happened: one of the types of the event catalogue.'),
  timestamp: timestamp('When it happened.'),
  orgId: text('The owning organization.'),
  sequence: count('Its number, without gaps: `after` takes it.'),
  subjectId: text('What it tells of: the id of a deposit, a withdrawal, an account or a chain.'),
  payload: Type.Record(Type.String(), Type.Unknown(), {
    description: 'What the receiver is told; its shape depends on the type.',
  }),
  delivery: EventDelivery,
})
export type StoredEvent = Static<typeof StoredEvent>

const Headers = Type.Record(Type.String(), Type.String(), {
  description: 'Header names in lower case.',
})

/** One attempt to deliver an event: what was sent, and what came back. */
export const DeliveryAttempt = Type.Object({
  number: count('1 for the first.'),
  startedAt: timestamp('When it began.'),
  finishedAt: timestamp('When it ended.'),
  durationMs: count('How long it took, in milliseconds: name service, connection and answer.'),
  request: Type.Object({
    method: text('POST.'),
    url: text('Where it went, without credentials; empty where no URL was set.'),
    headers: Headers,
    body: text('The exact text that was signed and sent.'),
  }),
  response: Type.Union(
    [
      Type.Object({
        status: Type.Integer({ description: 'The HTTP status; any 2xx acknowledges the event.' }),
        headers: Headers,
        body: text('Its beginning: 16 KiB, of a 2xx 1 KiB.'),
      }),
      Type.Null(),
    ],
    { description: 'Null where no answer came.' },
  ),
  error: text(
    'Why it was no acknowledgement: what the answer came to (`answered 500`), or why there is no ' +
      'whole one, with the step that failed (name service, connect, TLS). Empty for any 2xx.',
  ),
})
export type DeliveryAttempt = Static<typeof DeliveryAttempt>

/** The single read of an event: its attempts beside it, the newest 100, in their order. */
export const SingleEvent = Type.Object({
  ...StoredEvent.properties,
  attempts: Type.Array(DeliveryAttempt, {
    description: 'The newest 100 attempts, in their order. Old ones are deleted after a while.',
  }),
})
export type SingleEvent = Static<typeof SingleEvent>

/** What became of a redelivery of many. */
export const RedeliveryCount = Type.Object({
  count: count('How many events are sent again.'),
  underWay: count('How many were being sent at this moment, and were left to that.'),
})
export type RedeliveryCount = Static<typeof RedeliveryCount>
