import { type Receiver, type ReceivedWebhook, startReceiver } from '../receiver.ts'

/** The newest that are kept. */
const KEPT_MAX = 10_000

/** A webhook as the control endpoint lists it; `body` is the exact text. */
export interface LoggedWebhook {
  receivedAt: string
  headers: Record<string, string>
  body: string
  verified: boolean
}

/** The receiver of the sandbox: verifies, prints and keeps what it gets. */
export interface WebhookLog {
  url: string
  list(): readonly LoggedWebhook[]
  /** The secret may only be known after the receiver stands. */
  expect(secret: string): void
  stop(): Promise<void>
}

/** Starts the receiver; what arrives is told in one line each. */
export async function startWebhookLog(
  port: number,
  tell: (line: string) => void,
): Promise<WebhookLog> {
  const kept: LoggedWebhook[] = []
  let secret = ''
  let receiver: Receiver | null = null
  const onReceived = (webhook: ReceivedWebhook) => {
    const verified =
      receiver !== null && secret !== '' && receiver.verify(webhook, { secret }) === null
    const { headers, body } = webhook
    kept.push({ receivedAt: new Date(webhook.receivedAt).toISOString(), headers, body, verified })
    if (kept.length > KEPT_MAX) kept.shift()
    tell(`webhook ${verified ? 'verified' : 'NOT VERIFIED'}: ${body}`)
  }
  receiver = await startReceiver({ port, onReceived })
  return {
    url: `${receiver.url}/webhooks`,
    list: () => kept,
    expect: (given) => {
      secret = given
    },
    stop: async () => receiver?.stop(),
  }
}
