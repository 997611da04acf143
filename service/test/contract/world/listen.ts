import { type Receiver, startReceiver } from '@sluice/simulator'
import { afterAll, beforeAll } from 'vitest'
import { type Json, ask, until } from './ask.ts'
import { theWorld } from './given.ts'
import { type Tenant, WEBHOOK_PORTS } from './state.ts'

/** An event as it arrived. */
export interface Told {
  type: string
  envelope: Json
  payload: Json
  headers: Record<string, string>
  raw: Buffer
  path: string
}

/** A receiver of webhooks on the port that the product lets this file of tests use. */
export interface Listening {
  receiver(): Receiver
  url(path?: string): string
  /** Points an organization here. */
  aim(tenant: Tenant, path?: string): Promise<void>
  /** Everything that has arrived. */
  told(): Told[]
  /** The first event of a type whose payload holds this, waited for. */
  hear(type: string, holds: (payload: Json) => boolean): Promise<Told>
}

/** Listens from before the first test of a file until after its last. */
export function listening(name: (typeof WEBHOOK_PORTS)[number]): Listening {
  let started: Receiver | null = null
  beforeAll(async () => {
    const port = theWorld().webhookPorts[WEBHOOK_PORTS.indexOf(name)]
    started = await startReceiver(port === undefined ? {} : { port })
  })
  afterAll(() => started?.stop())
  const receiver = () => {
    if (started === null) throw new Error('the server is not listening')
    return started
  }
  const url = (path = '/webhooks') => `${receiver().url}${path}`
  const told = () => receiver().received.map(parse)
  return {
    receiver,
    url,
    told,
    aim: ({ apiKey: key }, path) => aim(key, url(path)),
    hear: (type, holds) =>
      until(`the event ${type}`, async () => {
        return told().find((one) => one.type === type && holds(one.payload)) ?? null
      }),
  }
}

async function aim(key: string, webhookUrl: string): Promise<void> {
  const question = { key, method: 'PATCH', body: { webhookUrl } }
  const { status, text } = await ask('/organisation/webhook', question)
  if (status !== 200) throw new Error(text)
}

function parse({ body, headers, raw, path }: Receiver['received'][number]): Told {
  const envelope = JSON.parse(body) as Json
  const { type, payload } = envelope
  return { type: String(type), envelope, payload: payload as Json, headers, raw, path }
}
