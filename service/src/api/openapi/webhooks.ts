import { EVENT_TYPES, EVENTS, type EventType, exampleEvent } from '@sluice/wire'
import { schemaOf } from './schemas.ts'

/** The requests to an organization's webhook, by type of event (section 6). */
export function describedWebhooks(): Record<string, unknown> {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: delivered(type) }]))
}

function delivered(type: EventType) {
  return {
    operationId: `on${type.split('.').map(capital).join('')}`,
    tags: ['Events'],
    summary: EVENTS[type].description,
    security: [],
    parameters: SIGNED_WITH,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: envelopeOf(type), example: exampleEvent(type) } },
    },
    responses: {
      '2XX': { description: 'Acknowledges the event, within 30 seconds.' },
      default: { description: 'A failure: the event is retried five times.' },
    },
  }
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

function envelopeOf(type: EventType) {
  return {
    type: 'object',
    required: ['id', 'type', 'timestamp', 'orgId', 'sequence', 'payload'],
    properties: {
      id: { type: 'string', description: 'The same in retries: deduplicate by it.' },
      type: { const: type },
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
      orgId: { type: 'string', description: 'The organization.' },
      sequence: {
        type: 'integer',
        description: 'Increases by one for each event of the organization, without gaps.',
      },
      payload: {
        ...schemaOf(EVENTS[type].payload),
        description: 'More fields may be added: ignore unknown fields.',
      },
    },
  }
}

const SIGNED_WITH = [
  signature('x-webhook-signature', 'Lower-case hex HMAC SHA-256 of the exact bytes of the body.'),
  signature('webhook-id', 'The id of the event (Standard Webhooks).'),
  signature(
    'webhook-timestamp',
    'The time it was sent, in seconds since 1970 (Standard Webhooks).',
  ),
  signature('webhook-signature', 'Signatures, each `v1,` and base64 (Standard Webhooks).'),
]

function signature(name: string, description: string) {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } }
}
