import { EVENT_TYPES, EVENTS, type EventType, exampleEvent } from '@sluice/wire'
import type { TSchema } from 'typebox'
import { wrapped } from './error-catalogue.ts'

/** `docs/events.md`: every type of event with what it tells, by example. */
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
30 seconds acknowledges it; anything else is tried again after 5 seconds, 25 seconds, 2 minutes,
10 minutes and 1 hour, and then given up. \`GET /events\` lists them, \`GET /events/:id\` shows one
with its attempts, and \`POST /events/redeliver\` sends them again: nothing is ever lost to a
receiver that was down.

## The envelope

| field | what it is |
|---|---|
| \`id\` | stays the same over retries and redeliveries: deduplicate by it |
| \`type\` | what happened, one of the types below; ignore those that you do not know |
| \`timestamp\` | when it happened |
| \`orgId\` | the organization |
| \`sequence\` | grows by one for each event of the organization, without gaps |
| \`payload\` | the state of what it tells of at that moment; more fields may come |

An event may come more than once, and events may come in another order than they happened:
\`sequence\` says which. Deduplicate deposits by the \`id\` of the payload, never by \`txnHash\`:
one transaction can pay several of your accounts.

## The signature

${SIGNED_WITH}

Compare in constant time, before the body is parsed. After a change of the secret
\`webhook-signature\` carries several, the newest secret's first: one of each secret that was
replaced within the last 24 hours is sent beside that of the new one, at most 8 in all. One that
fits is enough.

${entries.join('\n\n')}
`
}

/** A table of what the payload of a type has. */
function fieldsOf(type: EventType): string {
  const fields: Record<string, TSchema> = EVENTS[type].payload.properties
  const rows = Object.entries(fields).map(([name, schema]) => {
    const { description }: { description?: string } = schema
    return `| \`${name}\` | ${description ?? TOKEN} |`
  })
  return ['| field of `payload` | what it is |', '|---|---|', ...rows].join('\n')
}

const TOKEN = 'The token: `id`, `name`, `symbol`, `decimals` and `address`.'
const STANDARD = '[Standard Webhooks](https://www.standardwebhooks.com)'
const SIGNED_WITH = [
  '| header | what it is |',
  '|---|---|',
  '| `x-webhook-signature` | lower-case hex HMAC SHA-256 of the exact bytes of the body, keyed ' +
    'with the signing secret as text |',
  '| `webhook-id` | the id of the event |',
  '| `webhook-timestamp` | seconds since 1970, when it was sent |',
  '| `webhook-signature` | one or more of `v1,<base64>`, separated by spaces, as ' +
    `${STANDARD} has it |`,
].join('\n')
