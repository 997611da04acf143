import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { gzipSync } from 'node:zlib'
import { listen, shut } from './listen.ts'
import { type Objection, type VerifyOptions, verifyWebhook } from './verify-webhook.ts'

const DRIP_MS = 1_000
const BOMB_CHUNK_BYTES = 65_536
const WAIT_LIMIT_MS = 20_000

/** The receiver's reaction to one request. */
export type Behaviour =
  | { do: 'answer'; status: number; headers?: Record<string, string>; body?: string }
  /** Takes the request and never answers. */
  | { do: 'hang' }
  /** Answers 200 at once, then sends one byte of the body per interval (1 s) without end. */
  | { do: 'drip'; everyMs?: number }
  | { do: 'redirect'; to: string; status?: number }
  /** Answers 200 and this many bytes; with gzip they unpack from a small body. */
  | { do: 'bomb'; bytes: number; gzip?: boolean }
  /** Closes the connection without an answer. */
  | { do: 'close' }

export interface ReceivedWebhook {
  /** Milliseconds since 1970, when the body was complete. */
  receivedAt: number
  method: string
  path: string
  /** Names in lower case. */
  headers: Record<string, string>
  /** The exact bytes, and as text. */
  raw: Buffer
  body: string
}

export interface Receiver {
  readonly url: string
  readonly port: number
  /** All that arrived, in order. */
  readonly received: readonly ReceivedWebhook[]
  /** Connections made so far, with or without a request. */
  readonly connections: number
  /** Reactions to the next requests, in order, before the default behaviour applies. */
  script(...behaviours: Behaviour[]): void
  /** The default behaviour; initially answers 200. */
  behave(behaviour: Behaviour): void
  /** Null if all signatures hold; uses the secret of the start unless another is given. */
  verify(webhook: ReceivedWebhook, options?: VerifyOptions & { secret?: string }): Objection | null
  /** Resolves once the condition holds, looked at after each request; rejects after 20 s. */
  waitFor(condition: (received: readonly ReceivedWebhook[]) => boolean): Promise<void>
  stop(): Promise<void>
}

export interface ReceiverOptions {
  port?: number
  secret?: string
  /** PEM texts; HTTPS if given. */
  tls?: { key: string; cert: string }
  /** Hears of each request once it is complete. */
  onReceived?: (webhook: ReceivedWebhook) => void
}

/** A webhook receiver on 127.0.0.1 that keeps what it gets and behaves as scripted. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const received: ReceivedWebhook[] = []
  const script: Behaviour[] = []
  const watchers = new Set<() => void>()
  let standing: Behaviour = { do: 'answer', status: 200 }
  let connections = 0
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const behaviour = script.shift() ?? standing
    const webhook = await record(request)
    received.push(webhook)
    options.onReceived?.(webhook)
    perform(behaviour, response)
    for (const look of watchers) look()
  }
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    // A request that its sender aborts is not recorded.
    take(request, response).catch(() => response.destroy())
  }
  const server = options.tls ? createTlsServer(options.tls, onRequest) : createServer(onRequest)
  server.on('connection', () => {
    connections += 1
  })
  const port = await listen(server, options.port)
  return {
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    received,
    get connections() {
      return connections
    },
    script: (...behaviours) => void script.push(...behaviours),
    behave(behaviour) {
      standing = behaviour
    },
    verify(webhook, { secret = options.secret, ...rest } = {}) {
      if (secret === undefined) throw new Error('a receiver without a secret cannot verify')
      return verifyWebhook(webhook, secret, rest)
    },
    waitFor: (condition) => waitUntil(() => condition(received), watchers),
    stop: () => shut(server),
  }
}

async function record(request: IncomingMessage): Promise<ReceivedWebhook> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const raw = Buffer.concat(chunks)
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers)) headers[name] = String(value)
  const { method = '', url = '' } = request
  return { receivedAt: Date.now(), method, path: url, headers, raw, body: raw.toString() }
}

function perform(behaviour: Behaviour, response: ServerResponse): void {
  switch (behaviour.do) {
    case 'answer':
      response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body)
      return
    case 'redirect':
      response.writeHead(behaviour.status ?? 302, { location: behaviour.to }).end()
      return
    case 'drip':
      drip(response, behaviour.everyMs ?? DRIP_MS)
      return
    case 'bomb':
      bomb(response, behaviour.bytes, behaviour.gzip === true)
      return
    case 'close':
      response.destroy()
      return
    case 'hang':
  }
}

function drip(response: ServerResponse, everyMs: number): void {
  response.writeHead(200).flushHeaders()
  const timer = setInterval(() => response.write('.'), everyMs)
  response.on('close', () => clearInterval(timer))
}

/** Writes as fast as the other side reads, and no faster. */
function bomb(response: ServerResponse, bytes: number, gzip: boolean): void {
  if (gzip) {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(bytes)))
    return
  }
  response.writeHead(200)
  let left = bytes
  const pour = () => {
    while (left > 0) {
      const size = Math.min(left, BOMB_CHUNK_BYTES)
      left -= size
      if (!response.write(Buffer.alloc(size, '.'))) return
    }
    response.end()
  }
  response.on('drain', pour)
  pour()
}

function waitUntil(holds: () => boolean, watchers: Set<() => void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      clearTimeout(limit)
      watchers.delete(look)
      settle()
    }
    const look = () => {
      if (holds()) finish(resolve)
    }
    const late = new Error(`not received within ${WAIT_LIMIT_MS} ms`)
    const limit = setTimeout(() => finish(() => reject(late)), WAIT_LIMIT_MS)
    watchers.add(look)
    look()
  })
}
