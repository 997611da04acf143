import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { freePort, type Seeded, verifyWebhook } from '@sluice/simulator'

/** A received event: the digest of its bytes, and how often it came. */
export interface Heard {
  digest: string
  times: number
}

const RECEIVERS = 2
const FAULTS = 0.05

/**
 * Receivers of webhooks, between which the organization switches: each verifies its requests,
 * remembers the ids, and sometimes answers with an error, at most once for an event.
 */
export class Receivers {
  readonly heard = new Map<string, Heard>()
  /** Invalid signatures, and ids that came with different bytes. */
  readonly objections: string[] = []
  readonly urls: string[] = []
  faults = 0
  isFaulty = true
  secret = ''
  readonly #servers: Server[] = []
  readonly #failed = new Set<string>()
  readonly #random: Seeded

  private constructor(random: Seeded) {
    this.#random = random
  }

  static async open(random: Seeded): Promise<Receivers> {
    const receivers = new Receivers(random)
    for (let at = 0; at < RECEIVERS; at += 1) {
      const port = await freePort()
      const server = createServer((request, response) => {
        receivers.#take(request, response).catch(() => response.destroy())
      })
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      receivers.#servers.push(server)
      receivers.urls.push(`http://127.0.0.1:${port}`)
    }
    return receivers
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    }
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const raw = Buffer.concat(chunks)
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    const id = headers['webhook-id'] ?? ''
    this.#remember(id, raw, headers)
    const isBad = this.isFaulty && !this.#failed.has(id) && this.#random.chance(FAULTS)
    if (!isBad) {
      response.writeHead(200).end()
      return
    }
    this.#failed.add(id)
    this.faults += 1
    if (this.#random.chance(0.5)) response.writeHead(500).end()
    else response.destroy()
  }

  #remember(id: string, raw: Buffer, headers: Record<string, string>): void {
    const objection = verifyWebhook({ headers, raw }, this.secret, { now: Date.now() })
    if (objection !== null) this.objections.push(`${id}: ${objection}`)
    const digest = digestOf(raw)
    const before = this.heard.get(id)
    if (before !== undefined && before.digest !== digest) {
      this.objections.push(`${id}: came with different bytes`)
    }
    this.heard.set(id, { digest, times: (before?.times ?? 0) + 1 })
  }
}

/** Hours of events are too much to keep. */
export function digestOf(body: Buffer | string): string {
  return createHash('sha256').update(body).digest('base64')
}
