import type { IncomingHttpHeaders } from 'node:http'
import { Agent } from 'undici'
import type { Dispatcher } from 'undici'
import type { Clock } from '../base/clock.ts'
import { fromIso } from '../base/clock.ts'
import { codeOf, Outage } from '../base/fault.ts'
import { type Cookie, openCookie } from './cookie.ts'
import { codingsIn, decodeBody, isCoding } from './decode-body.ts'
import type { NodeOptions } from './options.ts'

/** Keep-alive connections to the nodes of one chain. Chains share no connection. */
export interface Http {
  node(options: NodeOptions): HttpNode
  /** Ends all connections, also those in use. */
  close(): Promise<void>
}

/** Opens the connections to the nodes of one chain. */
export type OpenHttp = (options: HttpOptions) => Http

/** A node. */
export interface HttpNode {
  /** The node's scheme, host and port: safe to log. */
  readonly name: string
  /** One request within the deadline. An Outage if the whole body does not arrive. */
  post(post: HttpPost): Promise<HttpReply>
  /** A GET request; the path is appended to that of the node. */
  get?(path: string, bytesMax: number): Promise<HttpReply>
}

export interface HttpPost {
  /** Appended to the node's own path. */
  path?: string
  body: string
  bytesMax: number
}

export interface HttpReply {
  status: number
  body: Buffer
  /** The `Retry-After` of the node, if refusals are read. */
  retryAfterMs?: number
}

export interface HttpOptions {
  clock: Clock
  /** For connecting, headers and body together. */
  timeoutMs: number
  /** Whether the bodies of refusals (429, 503) are read; else their head ends the exchange. */
  readsRefusals?: boolean
}

/** No answer in time, or one above the limit; a smaller request may succeed. */
export class Unfinished extends Outage {}

/** An answer above the limit. */
export class TooLong extends Unfinished {}

/** Upper bound of the configured deadline. */
const TIMEOUT_MAX_MS = 10_000
/** Upper bound of `Retry-After`. */
export const RETRY_AFTER_MAX_MS = 300_000
const CONNECTIONS_MAX = 16
/** Statuses below announce another answer. */
const FIRST_LAST_STATUS = 200
const UNAUTHORIZED = 401
const TOO_LONG_PAUSE_MS = 1_000
const TOO_MANY_REQUESTS = 429
const BUSY_STATUSES = new Set([TOO_MANY_REQUESTS, 503])
/** Pause after a rate limit without `Retry-After`. */
export const BUSY_PAUSE_MS = 1_000

/** Opens connections to the nodes of a chain, lazily. */
export function openHttp({ clock, timeoutMs, readsRefusals = false }: HttpOptions): Http {
  const deadlineMs = Math.min(timeoutMs, TIMEOUT_MAX_MS)
  const agent = new Agent({ connections: CONNECTIONS_MAX, connect: { timeout: deadlineMs } })
  return {
    node: (options) => {
      const target = parseTarget(options)
      const cookie = cookieOf(target)
      const line = { clock, agent, deadlineMs, target, cookie, readsRefusals }
      return {
        name: target.name,
        post: (post) => exchange(line, { method: 'POST', ...post }),
        get: (path, bytesMax) => exchange(line, { method: 'GET', path, bytesMax }),
      }
    },
    close: () => agent.destroy(),
  }
}

/**
 * Scheme, host and port of a node's URL: credentials, path and query may hold a key and stay out of
 * logs.
 */
export function safeName(url: string): string {
  if (!URL.canParse(url)) return 'a node whose URL is malformed'
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}

/** A URL without its credentials, and these as a header. */
export function splitCredentials(url: string): {
  bare: string
  credentials: Readonly<Record<string, string>>
} {
  const bare = new URL(url)
  const { username, password } = bare
  if (username === '' && password === '') return { bare: url, credentials: {} }
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const authorization = `Basic ${Buffer.from(pair).toString('base64')}`
  bare.username = ''
  bare.password = ''
  return { bare: bare.href, credentials: { authorization } }
}

interface Target {
  name: string
  origin: string
  path: string
  query: string
  headers: Record<string, string>
  cookieFile: string | null
}

interface Line {
  clock: Clock
  agent: Agent
  deadlineMs: number
  target: Target
  readsRefusals: boolean
  /** Null without a cookie file. */
  cookie: Cookie | null
}

/** A request by POST or GET. */
interface Question extends Omit<HttpPost, 'body'> {
  method: 'GET' | 'POST'
  body?: string
}

function parseTarget({ url, headers = {}, cookieFile }: NodeOptions): Target {
  const name = safeName(url)
  if (!/^https?:\/\//.test(name)) throw new Outage(name, 'nodes are reached by http or https only')
  const { origin, pathname, search } = new URL(url)
  return {
    name,
    origin,
    path: pathname,
    query: search,
    headers: {
      ...splitCredentials(url).credentials,
      ...headers,
      'content-type': 'application/json',
      // Decoding costs time; encoded answers are still accepted.
      'accept-encoding': 'identity',
    },
    cookieFile: cookieFile ?? null,
  }
}

function cookieOf({ name, cookieFile }: Target): Cookie | null {
  return cookieFile === null ? null : openCookie(name, cookieFile)
}

async function exchange(line: Line, question: Question): Promise<HttpReply> {
  const { target, cookie } = line
  if (cookie === null) return ask(line, question, target.headers)
  const authorization = await cookie.read()
  try {
    const reply = await ask(line, question, { ...target.headers, authorization })
    if (reply.status === UNAUTHORIZED) cookie.forget()
    return reply
  } catch (error) {
    cookie.forget()
    throw error
  }
}

async function ask(
  line: Line,
  question: Question,
  headers: Record<string, string>,
): Promise<HttpReply> {
  const { target, deadlineMs } = line
  const deadline = AbortSignal.timeout(deadlineMs)
  let giveUp = () => {}
  try {
    const reply = await new Promise<EncodedReply>((resolve, reject) => {
      const reading = new Reading(line, question.bytesMax, { resolve, reject })
      giveUp = () => reading.abandon(deadline.reason)
      deadline.addEventListener('abort', giveUp)
      line.agent.dispatch(
        {
          origin: target.origin,
          path: joinPath(target, question.path),
          method: question.method,
          headers,
          ...(question.body === undefined ? {} : { body: question.body }),
        },
        reading,
      )
    })
    return await decodeReply(target.name, reply, question.bytesMax)
  } catch (error) {
    throw error instanceof Outage ? error : outageOf(error, target, deadlineMs)
  } finally {
    // Else the answer would be kept until the deadline.
    deadline.removeEventListener('abort', giveUp)
  }
}

function joinPath({ path, query }: Target, more = ''): string {
  return `${more === '' ? path : path.replace(/\/$/, '') + more}${query}`
}

/**
 * Receives one answer. A stream would cost more than the rest of a small exchange; an answer that
 * is not read to its end is aborted, so that the connection has no leftovers.
 */
class Reading implements Dispatcher.DispatchHandler {
  readonly #line: Line
  readonly #bytesMax: number
  readonly #settle: { resolve: (reply: EncodedReply) => void; reject: (reason: unknown) => void }
  readonly #chunks: Buffer[] = []
  #controller: Dispatcher.DispatchController | null = null
  #abandoned: Error | null = null
  #length = 0
  #status = 0
  #codings: readonly string[] = []
  #retryAfterMs: number | null = null

  constructor(
    line: Line,
    bytesMax: number,
    settle: { resolve: (reply: EncodedReply) => void; reject: (reason: unknown) => void },
  ) {
    this.#line = line
    this.#bytesMax = bytesMax
    this.#settle = settle
  }

  /** Aborts, and frees the received parts before a smaller request. */
  abandon(reason: Error): void {
    this.#abandoned = reason
    this.#chunks.length = 0
    this.#settle.reject(reason)
    this.#controller?.abort(reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#abandoned !== null) controller.abort(this.#abandoned)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < FIRST_LAST_STATUS) return
    const { clock, target, readsRefusals } = this.#line
    this.#status = status
    this.#codings = codingsIn(headers['content-encoding'])
    this.#retryAfterMs = readsRefusals ? parseRetryAfter(clock, headers['retry-after']) : null
    const wrong = headOutage(this.#line, target, { status, headers })
    if (wrong !== null) this.abandon(wrong)
    else if (Number(headers['content-length'] ?? 0) > this.#bytesMax) this.abandon(this.#tooLong())
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#length += chunk.length
    if (this.#length > this.#bytesMax) this.abandon(this.#tooLong())
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.#settle.resolve({
      status: this.#status,
      codings: this.#codings,
      body: Buffer.concat(this.#chunks, this.#length),
      ...(this.#retryAfterMs === null ? {} : { retryAfterMs: this.#retryAfterMs }),
    })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#settle.reject(error)
  }

  /** An immediate retry would return as much again. */
  #tooLong(): TooLong {
    const { name } = this.#line.target
    const options = { retryAfterMs: TOO_LONG_PAUSE_MS }
    return new TooLong(name, `answered more than ${this.#bytesMax} bytes`, options)
  }
}

/** A reply as it came, its codings in the order in which they were applied. */
interface EncodedReply extends HttpReply {
  codings: readonly string[]
}

/** The decoded body is no longer than an answer may be. */
async function decodeReply(
  name: string,
  { codings, ...reply }: EncodedReply,
  bytesMax: number,
): Promise<HttpReply> {
  if (codings.length === 0) return reply
  const body = await decodeBody(reply.body, codings, bytesMax)
  if (body === 'too-long') {
    const options = { retryAfterMs: TOO_LONG_PAUSE_MS }
    throw new TooLong(name, `answered more than ${bytesMax} bytes`, options)
  }
  if (body === 'malformed') throw new Outage(name, 'answered in a broken content coding')
  return { ...reply, body }
}

/** The Outage that the head of an answer shows; else null. */
function headOutage(
  { clock, readsRefusals }: Pick<Line, 'clock' | 'readsRefusals'>,
  { name }: Target,
  { status, headers }: { status: number; headers: IncomingHttpHeaders },
): Outage | null {
  if (BUSY_STATUSES.has(status) && !readsRefusals) {
    const asked = parseRetryAfter(clock, headers['retry-after'])
    const retryAfterMs = asked ?? (status === TOO_MANY_REQUESTS ? BUSY_PAUSE_MS : null)
    const options = retryAfterMs === null ? {} : { retryAfterMs }
    return new Outage(name, `answered HTTP ${status}`, options)
  }
  if (status >= 300 && status < 400) {
    const advice = 'configure the URL that it redirects to, as redirects are not followed'
    return new Outage(name, `answered HTTP ${status}: ${advice}`)
  }
  const unknown = codingsIn(headers['content-encoding']).find((coding) => !isCoding(coding))
  return unknown === undefined ? null : new Outage(name, 'answered in an unknown content coding')
}

/** Whole seconds or a date (RFC 9110, 10.2.3), as milliseconds from now; else null. */
function parseRetryAfter(clock: Clock, value: string | string[] | undefined): number | null {
  if (typeof value !== 'string') return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : fromIso(value) - clock.now()
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), RETRY_AFTER_MAX_MS) : null
}

/** An Outage in our own words: messages of libraries may contain the whole URL. */
function outageOf(error: unknown, { name: node }: Target, deadlineMs: number): Outage {
  const name = error instanceof Error ? error.name : ''
  const code = codeOf(error)
  if (name === 'TimeoutError' || code.includes('TIMEOUT')) {
    return new Unfinished(node, `no answer within ${deadlineMs} ms`)
  }
  return new Outage(node, `cannot be reached (${code === '' ? name : code})`)
}
