import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ReceivedWebhook, startReceiver } from '../receiver.ts'
import { verifyWebhook } from '../verify-webhook.ts'

/** The newest that are kept. */
const KEPT_MAX = 10_000

/** A webhook as the control endpoint lists it; `body` is the exact text. */
export interface LoggedWebhook {
  receivedAt: string
  headers: Record<string, string>
  body: string
  verified: boolean
}

/** The receiver of the sandbox: verifies and keeps what it gets, over restarts too. */
export interface WebhookLog {
  url: string
  list(): readonly LoggedWebhook[]
  /** Fetches the current signing secret; earlier webhooks wait for it. */
  verifyWith(readSecret: () => Promise<string>): void
  stop(): Promise<void>
}

/** Starts the receiver; `tell` hears of webhooks that cannot be verified. */
export async function startWebhookLog(
  { port, folder }: { port: number; folder: string },
  tell: (line: string) => void,
): Promise<WebhookLog> {
  const file = join(folder, 'webhooks.jsonl')
  const kept = await readKept(file)
  let enable: (readSecret: () => Promise<string>) => void = () => undefined
  const enabled = new Promise<() => Promise<string>>((resolve) => {
    enable = resolve
  })
  const keep = async (webhook: ReceivedWebhook) => {
    const verified = await check(await enabled)(webhook)
    const { headers, body } = webhook
    const receivedAt = new Date(webhook.receivedAt).toISOString()
    const logged = { receivedAt, headers, body, verified }
    kept.push(logged)
    if (kept.length > KEPT_MAX) kept.shift()
    if (!verified) tell(`A webhook could not be verified: ${body}`)
    await appendFile(file, `${JSON.stringify(logged)}\n`, { mode: 0o600 })
  }
  const check = rememberSecret()
  // One after the other, as they came.
  let last: Promise<void> = Promise.resolve()
  const onReceived = (webhook: ReceivedWebhook) => {
    last = last.then(() => keep(webhook)).catch((error: unknown) => tell(String(error)))
  }
  const receiver = await startReceiver({ port, onReceived })
  return {
    url: `${receiver.url}/webhooks`,
    list: () => kept,
    verifyWith: (readSecret) => enable(readSecret),
    stop: () => receiver.stop(),
  }
}

/** A secret that no longer verifies may have been replaced: it is fetched once more. */
function rememberSecret() {
  let secret = ''
  return (readSecret: () => Promise<string>) =>
    async ({ headers, raw }: ReceivedWebhook): Promise<boolean> => {
      const holds = () => secret !== '' && verifyWebhook({ headers, raw }, secret) === null
      if (holds()) return true
      secret = await readSecret().catch(() => secret)
      return holds()
    }
}

/** Webhooks of earlier starts; the file is rewritten, cut to the limit of the list. */
async function readKept(file: string): Promise<LoggedWebhook[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const lines = text.split('\n').filter((line) => line !== '')
  const kept = lines.flatMap(parseLine).slice(-KEPT_MAX)
  if (lines.length > KEPT_MAX) {
    await writeFile(file, kept.map((one) => `${JSON.stringify(one)}\n`).join(''), { mode: 0o600 })
  }
  return kept
}

/** A line that was cut short by a kill is left out. */
function parseLine(line: string): LoggedWebhook[] {
  try {
    return [JSON.parse(line) as LoggedWebhook]
  } catch {
    return []
  }
}
