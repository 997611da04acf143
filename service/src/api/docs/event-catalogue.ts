import { EVENT_TYPES, EVENTS, type EventType, exampleEvent } from '@sluice/wire'
import type { TSchema } from 'typebox'
import { wrapped } from './error-catalogue.ts'

/** `docs/events.md`: every type of event with its fields and an example. */
export function eventsPage(): string {
  const entries = EVENT_TYPES.map((type) =>
    [
      `## \`${type}\``,
      wrapped(EVENTS[type].description),
      fieldsOf(type),
      `\`\`\`json\n${JSON.stringify(exampleEvent(type), null, 2)}\n\`\`\``,
    ].join('\n\n'),
  )
  return `# Events

Every event is posted as JSON to the URL that \`PATCH /organisation/webhook\` sets. Any 2xx within
30 seconds acknowledges it; otherwise it is retried after 5 seconds, 25 seconds, 2 minutes,
10 minutes and 1 hour, and then fails. \`GET /events\` lists events, \`GET /events/:id\` shows one
with its attempts, and \`POST /events/redeliver\` sends events again, so an outage of the receiver
loses no event.

## The envelope

| field | meaning |
|---|---|
| \`id\` | the same in retries and redeliveries: deduplicate by it |
| \`type\` | one of the types below; ignore unknown types |
| \`timestamp\` | when it happened |
| \`orgId\` | the organization |
| \`sequence\` | increases by one for each event of the organization, without gaps |
| \`payload\` | the state of its subject at that time; more fields may be added |

An event may arrive more than once, and events may arrive out of order: \`sequence\` is their order.
Deduplicate deposits by the \`id\` of the payload, never by \`txnHash\`:
one transaction can pay several of your accounts.

## The signature

${SIGNED_WITH}

Compare in constant time, before the body is parsed. After a change of the secret,
\`webhook-signature\` has several signatures, at most 8: first that of the new secret, then those of
secrets replaced within the last 24 hours. One matching signature is enough.

${entries.join('\n\n')}
`
}

/** A table of the payload's fields. */
function fieldsOf(type: EventType): string {
  const fields: Record<string, TSchema> = EVENTS[type].payload.properties
  const rows = Object.entries(fields).map(([name, schema]) => {
    const { description }: { description?: string } = schema
    return `| \`${name}\` | ${description ?? TOKEN} |`
  })
  return ['| field of `payload` | meaning |', '|---|---|', ...rows].join('\n')
}

const TOKEN = 'The token: `id`, `name`, `symbol`, `decimals` and `address`.'
const STANDARD = '[Standard Webhooks](https://www.standardwebhooks.com)'
const SIGNED_WITH = [
  '| header | meaning |',
  '|---|---|',
  '| `x-webhook-signature` | lower-case hex HMAC SHA-256 of the exact bytes of the body, keyed ' +
    'with the signing secret as text |',
  '| `webhook-id` | the id of the event |',
  '| `webhook-timestamp` | the time it was sent, in seconds since 1970 |',
  '| `webhook-signature` | one or more of `v1,<base64>`, separated by spaces, ' +
    `as in ${STANDARD} |`,
].join('\n')
