import { Agent, request } from 'undici'
import type { Dispatcher } from 'undici'
import type { Clock } from '../base/clock.ts'
import { fromIso } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import type { NodeOptions } from './port.ts'

/**
 * Connections to the nodes of one chain, kept alive; chains share none, so that none can delay
 * another.
 */
export interface Http {
  node(options: NodeOptions): HttpNode
  /** Ends all connections, those in use too. */
  close(): Promise<void>
}

/** One node, reachable by POST. */
export interface HttpNode {
  /** The node's scheme, host and port: safe to log. */
  readonly name: string
  /** One exchange within the deadline. An Outage for whatever keeps the whole body from coming. */
  post(post: HttpPost): Promise<HttpReply>
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
}

export interface HttpOptions {
  clock: Clock
  /** For connecting, headers and body together. */
  timeoutMs: number
}

/** No deadline is longer, whatever the configuration says. */
export const TIMEOUT_MAX_MS = 10_000
/** A node that asks for a longer pause is asked again after this. */
export const RETRY_AFTER_MAX_MS = 300_000
const CONNECTIONS_MAX = 16
const BUSY_STATUSES = new Set([429, 503])

/** Opens the connections to one chain's nodes. Nothing is sent before the first `post`. */
export function openHttp({ clock, timeoutMs }: HttpOptions): Http {
  const deadlineMs = Math.min(timeoutMs, TIMEOUT_MAX_MS)
  const agent = new Agent({ connections: CONNECTIONS_MAX, connect: { timeout: deadlineMs } })
  return {
    node: (options) => {
      const target = parseTarget(options)
      const line = { clock, agent, deadlineMs, target }
      return { name: target.name, post: (post) => exchange(line, post) }
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

interface Target {
  name: string
  origin: string
  path: string
  query: string
  headers: Record<string, string>
}

interface Line {
  clock: Clock
  agent: Agent
  deadlineMs: number
  target: Target
}

function parseTarget({ url, headers = {} }: NodeOptions): Target {
  const name = safeName(url)
  if (!/^https?:\/\//.test(name)) throw new Outage(name, 'nodes are reached by http or https only')
  const { origin, pathname, search, username, password } = new URL(url)
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const credentials = `Basic ${Buffer.from(pair).toString('base64')}`
  return {
    name,
    origin,
    path: pathname,
    query: search,
    headers: {
      ...(username === '' && password === '' ? {} : { authorization: credentials }),
      ...headers,
      'content-type': 'application/json',
      // No compression: what a node sends is what it costs to hold, so no bomb can hide in it.
      'accept-encoding': 'identity',
    },
  }
}

async function exchange(line: Line, post: HttpPost): Promise<HttpReply> {
  const { target, deadlineMs } = line
  try {
    const answer = await request(`${target.origin}${joinPath(target, post.path)}`, {
      method: 'POST',
      dispatcher: line.agent,
      headers: target.headers,
      body: post.body,
      signal: AbortSignal.timeout(deadlineMs),
    })
    return { status: answer.statusCode, body: await readAnswer(line, answer, post.bytesMax) }
  } catch (error) {
    throw error instanceof Outage ? error : new Outage(target.name, reasonOf(error, deadlineMs))
  }
}

function joinPath({ path, query }: Target, more = ''): string {
  return `${more === '' ? path : path.replace(/\/$/, '') + more}${query}`
}

async function readAnswer(
  { clock, target }: Line,
  answer: Dispatcher.ResponseData,
  bytesMax: number,
): Promise<Buffer> {
  try {
    checkHead(clock, target, answer)
    return await readBody(target, answer, bytesMax)
  } finally {
    // Does nothing to a body that was read to its end; any other must not linger on the connection.
    answer.body.on('error', () => undefined).destroy()
  }
}

function checkHead(clock: Clock, target: Target, { statusCode, headers }: Dispatcher.ResponseData) {
  if (BUSY_STATUSES.has(statusCode)) {
    const retryAfterMs = parseRetryAfter(clock, headers['retry-after'])
    const options = retryAfterMs === null ? {} : { retryAfterMs }
    throw new Outage(target.name, `answered HTTP ${statusCode}`, options)
  }
  if (statusCode >= 300 && statusCode < 400) {
    throw new Outage(target.name, `answered HTTP ${statusCode}, and redirects are not followed`)
  }
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw new Outage(target.name, 'answered in a compressed form')
}

async function readBody(
  target: Target,
  { body, headers }: Dispatcher.ResponseData,
  bytesMax: number,
): Promise<Buffer> {
  const tooLong = () => new Outage(target.name, `answered more than ${bytesMax} bytes`)
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw tooLong()
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    const piece = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
    length += piece.length
    if (length > bytesMax) throw tooLong()
    chunks.push(piece)
  }
  return Buffer.concat(chunks, length)
}

/**
 * Whole seconds or a date (RFC 9110, 10.2.3), as milliseconds from now; null where it is neither.
 */
function parseRetryAfter(clock: Clock, value: string | string[] | undefined): number | null {
  if (typeof value !== 'string') return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : fromIso(value) - clock.now()
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), RETRY_AFTER_MAX_MS) : null
}

/** What went wrong, in words of ours: messages of libraries may hold the whole URL. */
function reasonOf(error: unknown, deadlineMs: number): string {
  const name = error instanceof Error ? error.name : ''
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (name === 'TimeoutError' || code.includes('TIMEOUT'))
    return `no answer within ${deadlineMs} ms`
  return `cannot be reached (${code === '' ? name : code})`
}
