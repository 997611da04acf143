import { type Static, Type } from 'typebox'
import type { Operation } from './define.ts'
import { EVENT_TYPES } from './events.ts'
import { AT, ORG_ID, RECEIVER_URL } from './examples.ts'
import { count, text, timestamp, timestampOrNull } from './fields.ts'
import { CodeRequest, ENDPOINT_ID, PERSONS_CODE, WEBHOOK_URL } from './parameters.ts'

/** The states of an endpoint. */
const ENDPOINT_STATES = ['active', 'paused', 'tampered'] as const

export const WebhookEndpoint = Type.Object({
  id: text('Unique id; the default endpoint has the id of the organization.'),
  isDefault: Type.Boolean({
    description: 'Whether it is the endpoint of `PATCH /organisation/webhook`.',
  }),
  url: text('The URL that receives events; empty if the default endpoint has none.'),
  eventTypes: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'The event types that it receives; null for all.',
  }),
  state: Type.Enum([...ENDPOINT_STATES], {
    description:
      '`paused`: deliveries wait. `tampered`: it was changed in the database and receives ' +
      'nothing; set its URL again.',
  }),
  pausedAt: timestampOrNull('Since when it is paused; null if it is not.'),
  pendingDeliveries: count('Deliveries that wait for an attempt.'),
  lastSuccessAt: timestampOrNull('The last accepted delivery, to a few seconds.'),
  lastFailureAt: timestampOrNull('The last failed attempt, to a few seconds.'),
  failingSince: timestampOrNull('The first failed attempt since the last accepted delivery.'),
  createdAt: timestamp('When it was created.'),
  updatedAt: timestamp('When its settings were last changed.'),
})
export type WebhookEndpoint = Static<typeof WebhookEndpoint>

const EVENT_FILTER = Type.Union(
  [
    Type.Array(Type.Enum([...EVENT_TYPES], { type: 'string' }), {
      minItems: 1,
      maxItems: EVENT_TYPES.length,
      uniqueItems: true,
    }),
    Type.Null(),
  ],
  { description: 'The event types that it receives, without duplicates; null for all.' },
)

const NewEndpoint = Type.Object({
  url: WEBHOOK_URL,
  eventTypes: Type.Optional(EVENT_FILTER),
  totpCode: PERSONS_CODE,
})

const EndpointChange = Type.Object({
  url: Type.Optional(WEBHOOK_URL),
  eventTypes: Type.Optional(EVENT_FILTER),
  isPaused: Type.Optional(
    Type.Boolean({
      description: 'Whether its deliveries wait. They are sent after it is resumed.',
    }),
  ),
  totpCode: PERSONS_CODE,
})

/** The steps of an attempt, in their order. */
const DELIVERY_STEPS = [
  'check',
  'nameResolution',
  'connection',
  'tls',
  'response',
  'status',
] as const
export type DeliveryStep = (typeof DELIVERY_STEPS)[number]

export const EndpointTest = Type.Object({
  eventId: text('The id of the `webhook.test` event; `GET /events/{id}` shows the request.'),
  isAccepted: Type.Boolean({ description: 'Whether the receiver answered with a 2xx.' }),
  status: Type.Union([Type.Integer({ minimum: 100, maximum: 999 }), Type.Null()], {
    description: 'The HTTP status of the answer; null without an answer.',
  }),
  durationMs: count('Duration in milliseconds, from name resolution to the answer.'),
  failedStep: Type.Union([Type.Enum([...DELIVERY_STEPS]), Type.Null()], {
    description:
      'The step that failed: `check` of the URL, its addresses and the secret, ' +
      '`nameResolution`, `connection`, `tls`, `response` (no complete answer) or `status` (not a ' +
      '2xx). Null if it was accepted.',
  }),
  error: text('Why it failed; empty if it was accepted.'),
})
export type EndpointTest = Static<typeof EndpointTest>

const SECRET = text('Signs its deliveries. Returned once: store it in the receiver.')
const One = Type.Object({ endpoint: WebhookEndpoint })
const PARAMS = Type.Object({ id: ENDPOINT_ID })

const DEFAULT: WebhookEndpoint = {
  id: ORG_ID,
  isDefault: true,
  url: RECEIVER_URL,
  eventTypes: null,
  state: 'active',
  pausedAt: null,
  pendingDeliveries: 0,
  lastSuccessAt: AT,
  lastFailureAt: null,
  failingSince: null,
  createdAt: AT,
  updatedAt: AT,
}
const ENDPOINT: WebhookEndpoint = {
  ...DEFAULT,
  id: '019ab4f0-7777-7000-8000-000000000007',
  isDefault: false,
  url: 'https://example.com/hooks/withdrawals',
  eventTypes: ['withdrawal.completed', 'withdrawal.failed'],
}
const params = { id: ENDPOINT.id }

export const WEBHOOK_ENDPOINT_OPERATIONS = {
  getWebhookEndpoints: {
    method: 'GET',
    path: '/webhook-endpoints',
    tag: 'Webhook endpoints',
    summary: 'Lists the webhook endpoints, the default one first',
    description: 'At most 20, with the state of their deliveries.',
    credential: 'either',
    permission: 'read',
    responses: { 200: Type.Object({ endpoints: Type.Array(WebhookEndpoint) }) },
    errors: [],
    example: { answers: { 200: { endpoints: [DEFAULT, ENDPOINT] } } },
  },
  postWebhookEndpoint: {
    method: 'POST',
    path: '/webhook-endpoints',
    tag: 'Webhook endpoints',
    summary: 'Adds a webhook endpoint',
    description:
      'It receives the events from now on whose type its filter names, signed with its own ' +
      'secret. The URL must use HTTPS and resolve to a public address. An organization may have ' +
      '20 endpoints. A person must send a one-time code.',
    credential: 'either',
    permission: 'configure',
    body: NewEndpoint,
    code: 'required',
    responses: {
      201: Type.Object({ endpoint: WebhookEndpoint, signingSecret: SECRET }),
    },
    errors: ['INVALID_TOTP', 'INVALID_WEBHOOK_URL'],
    example: {
      body: { url: ENDPOINT.url, eventTypes: ENDPOINT.eventTypes },
      answers: {
        201: {
          endpoint: { ...ENDPOINT, lastSuccessAt: null },
          signingSecret: 'whsec_YW5vdGhlciBzZWNyZXQgd2l0aCAzMiBieXRlcyBvZiAh',
        },
      },
    },
  },
  getWebhookEndpoint: {
    method: 'GET',
    path: '/webhook-endpoints/:id',
    tag: 'Webhook endpoints',
    summary: 'Returns a webhook endpoint with the state of its deliveries',
    description: '`GET /events?endpointId=` lists the events with their deliveries to it.',
    credential: 'either',
    permission: 'read',
    params: PARAMS,
    responses: { 200: One },
    errors: [],
    example: { params, answers: { 200: { endpoint: ENDPOINT } } },
  },
  patchWebhookEndpoint: {
    method: 'PATCH',
    path: '/webhook-endpoints/:id',
    tag: 'Webhook endpoints',
    summary: 'Changes the URL or the filter of a webhook endpoint, pauses or resumes it',
    description:
      'Pending deliveries go to a new URL; a new filter applies to later events. While it is ' +
      'paused, deliveries wait; they are sent, oldest first, when it is resumed. Deliveries that ' +
      'are being sent at that moment are finished. A person must send a one-time code.',
    credential: 'either',
    permission: 'configure',
    params: PARAMS,
    body: EndpointChange,
    code: 'required',
    responses: { 200: One },
    errors: ['INVALID_TOTP', 'INVALID_WEBHOOK_URL'],
    example: {
      params,
      body: { isPaused: true },
      answers: { 200: { endpoint: { ...ENDPOINT, state: 'paused', pausedAt: AT } } },
    },
  },
  deleteWebhookEndpoint: {
    method: 'DELETE',
    path: '/webhook-endpoints/:id',
    tag: 'Webhook endpoints',
    summary: 'Deletes a webhook endpoint',
    description:
      'Its pending deliveries fail. The default endpoint cannot be deleted; pause it instead. A ' +
      'person must send a one-time code.',
    credential: 'either',
    permission: 'configure',
    params: PARAMS,
    body: CodeRequest,
    bodyMayBeMissing: true,
    code: 'required',
    responses: { 200: Type.Object({}) },
    errors: ['INVALID_TOTP'],
    example: { params, body: { totpCode: '492039' }, answers: { 200: {} } },
  },
  postWebhookEndpointSecret: {
    method: 'POST',
    path: '/webhook-endpoints/:id/secret',
    tag: 'Webhook endpoints',
    summary: 'Replaces the secret of a webhook endpoint',
    description:
      '`x-webhook-signature` uses the new secret at once; `webhook-signature` carries signatures ' +
      'of both secrets for 24 hours. A person must send a one-time code.',
    credential: 'either',
    permission: 'configure',
    params: PARAMS,
    body: CodeRequest,
    bodyMayBeMissing: true,
    code: 'required',
    responses: { 200: Type.Object({ signingSecret: SECRET }) },
    errors: ['INVALID_TOTP'],
    example: {
      params,
      body: { totpCode: '492039' },
      answers: {
        200: { signingSecret: 'whsec_YW5vdGhlciBzZWNyZXQgd2l0aCAzMiBieXRlcyBvZiAh' },
      },
    },
  },
  postWebhookEndpointTest: {
    method: 'POST',
    path: '/webhook-endpoints/:id/test',
    tag: 'Webhook endpoints',
    summary: 'Sends a test event to a webhook endpoint and returns the result',
    description:
      'A `webhook.test` event, signed like every other event and sent once, to this endpoint ' +
      'only, also if it is paused or filters the type. The answer takes as long as the attempt, ' +
      'at most 20 seconds.',
    credential: 'either',
    permission: 'sendEvents',
    params: PARAMS,
    responses: { 200: Type.Object({ test: EndpointTest }) },
    errors: ['INVALID_WEBHOOK_URL'],
    example: {
      params,
      answers: {
        200: {
          test: {
            eventId: '019ab4ef-6666-7000-8000-000000000006',
            isAccepted: false,
            status: null,
            durationMs: 12,
            failedStep: 'connection',
            error: 'connect: ECONNREFUSED',
          },
        },
      },
    },
  },
} as const satisfies Record<string, Operation>
