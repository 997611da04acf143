import type { Clock } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import { openBatchLimit } from './batch-limit.ts'
import { divideBatch } from './divide-batch.ts'
import { BUSY_PAUSE_MS, type HttpNode, type HttpReply } from './http.ts'
import { parseBody, parseBodyExactly } from './parse-body.ts'
import { splitBatch } from './split-batch.ts'

/**
 * A JSON-RPC 2.0 node. Results are parsed JSON of any shape. Several calls are sent in batches of
 * the size that the node accepts (`divideBatch`); a single call is not a batch.
 */
export interface JsonRpc {
  readonly name: string
  /** An RpcRefusal if the node answers with an error, another Outage for an invalid answer. */
  call(call: RpcCall, bytesMax?: number): Promise<unknown>
  /** As `call`, for a caller that parses the answer. */
  read<T>(call: RpcCall, bytesMax: number, read: (answer: RpcAnswer) => T): Promise<T>
  /** As `read` for several calls, in their order. Each answer fails separately. */
  readTogether(calls: readonly RpcCall[], bytesMax: number): Promise<RpcAnswer[]>
  /** Several calls, in their order; one failure fails all. */
  batch(calls: readonly RpcCall[], bytesMax?: number): Promise<unknown[]>
  /** As `batch`, the numbers in the results as their texts. */
  batchExactly(calls: readonly RpcCall[], bytesMax?: number): Promise<unknown[]>
  /** As `batch`, with an RpcRefusal in place of the result of a refused call. */
  settle(calls: readonly RpcCall[], bytesMax?: number): Promise<unknown[]>
}

/** An unparsed answer. */
export interface RpcAnswer {
  /** Of the request that it must name. */
  id: number
  /**
   * Null when the node answered with a status of failure, or when the answer cannot be cut out of
   * its batch.
   */
  body: Buffer | null
  /** The result, parsed; throws as `call` does. */
  result: () => unknown
  /** The result, its numbers as their texts; throws as `call` does. */
  exact: () => unknown
}

export interface RpcCall {
  method: string
  params: readonly unknown[]
}

/** One call to a node, for counters and timings. */
export interface RequestReport {
  node: string
  method: string
  outcome: 'ok' | 'refused' | 'outage'
  ms: number
}

/** The node answered with an error. */
export class RpcRefusal extends Outage {
  readonly method: string
  readonly code: number
  readonly said: string

  constructor(node: string, method: string, error: { code: number; message: string }) {
    const isBusy = BUSY_CODES.has(error.code) || BUSY_WORDS.test(error.message)
    const options = isBusy ? { retryAfterMs: BUSY_PAUSE_MS } : {}
    super(node, `${method}: ${error.message.slice(0, SAID_MAX)} (${error.code})`, options)
    this.method = method
    this.code = error.code
    this.said = error.message
  }
}

/**
 * The node or its gateway declined the request by an HTTP status (4xx or 501), without JSON-RPC: it
 * does not serve the method, the parameters, or this caller.
 */
export class Declined extends Outage {
  readonly status: number

  constructor(node: string, message: string, status: number) {
    super(node, message)
    this.status = status
  }
}

/**
 * Whether a node answers but does not support the request; false during an outage or rate limit.
 * The caller may try another method.
 */
export function isDeclined(error: unknown): error is RpcRefusal | Declined {
  if (error instanceof RpcRefusal) return error.retryAfterMs === null
  return error instanceof Declined
}

/** EIP-1474's "limit exceeded", and its equivalents of some providers. */
const BUSY_CODES = new Set([-32_005, -32_029, 429])
const BUSY_WORDS = /rate.?limit|too many requests/i

/** Answers of a line or two: heads, balances, chain ids. */
export const SMALL_BYTES_MAX = 1_000_000
const SAID_MAX = 200
/** Refusals are shorter; longer answers are results, and stay unparsed until they are read. */
const REFUSAL_BYTES_MAX = 4_096
const REQUEST_TIMEOUT = 408
const NOT_IMPLEMENTED = 501

/** Speaks JSON-RPC to a node and reports every exchange to `onRequest`. */
export function openJsonRpc(
  http: HttpNode,
  clock: Clock,
  onRequest: (report: RequestReport) => void,
): JsonRpc {
  let lastId = 0
  const identify = (call: RpcCall) => {
    lastId += 1
    return { jsonrpc: '2.0', id: lastId, method: call.method, params: call.params }
  }
  const timed = timing(http.name, clock, onRequest)
  const limit = openBatchLimit()
  const read = <T>(call: RpcCall, bytesMax: number, reading: (answer: RpcAnswer) => T) =>
    timed(call.method, async () => {
      const sent = identify(call)
      return reading(answerOf(http.name, sent, await send(http, sent, bytesMax)))
    })
  const ask = (calls: readonly RpcCall[], bytesMax: number): Promise<RpcAnswer[]> =>
    divideBatch(calls, {
      limit,
      refusalOf,
      failing,
      alone: (call) => read(call, bytesMax, demandResult).catch(failingIfRefused(call)),
      together: (part) =>
        timed(part[0]?.method ?? 'none', async () => {
          const sent = part.map(identify)
          return answersOf(http.name, sent, await send(http, sent, bytesMax))
        }),
    })
  return {
    name: http.name,
    call: (call, bytesMax = SMALL_BYTES_MAX) => read(call, bytesMax, ({ result }) => result()),
    read,
    readTogether: ask,
    batch: async (calls, bytesMax = SMALL_BYTES_MAX) =>
      (await ask(calls, bytesMax)).map(({ result }) => result()),
    batchExactly: async (calls, bytesMax = SMALL_BYTES_MAX) =>
      (await ask(calls, bytesMax)).map(({ exact }) => exact()),
    settle: async (calls, bytesMax = SMALL_BYTES_MAX) =>
      (await ask(calls, bytesMax)).map((answer) => refusalOf(answer) ?? answer.result()),
  }
}

interface Sent {
  id: number
  method: string
}

/** Reports outcome and duration of each exchange with a node. */
export function timing(
  node: string,
  clock: Clock,
  onRequest: (report: RequestReport) => void,
): <T>(method: string, work: () => Promise<T>) => Promise<T> {
  return (method, work) => report({ node, method }, clock, onRequest, work)
}

async function report<T>(
  about: { node: string; method: string },
  clock: Clock,
  onRequest: (report: RequestReport) => void,
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = clock.now()
  const tell = (outcome: RequestReport['outcome']) =>
    onRequest({ ...about, outcome, ms: clock.now() - startedAt })
  try {
    const result = await work()
    tell('ok')
    return result
  } catch (error) {
    tell(error instanceof RpcRefusal ? 'refused' : 'outage')
    throw error
  }
}

function send(http: HttpNode, sent: unknown, bytesMax: number): Promise<HttpReply> {
  return http.post({ body: JSON.stringify(sent), bytesMax })
}

/** Some nodes send JSON-RPC errors with a status of 400 or 500, also for a whole batch. */
function parseReply(node: string, reply: HttpReply): unknown {
  const { status, body } = reply
  const answer = parseBody(node, body)
  const isRefusal = holdsError(answer, status) || (Array.isArray(answer) && answer.some(isError))
  const isJsonRpc = Array.isArray(answer) || (isObject(answer) && ('id' in answer || isRefusal))
  if (isRefusal || (isJsonRpc && status < 400)) return answer
  throw plainOutage(node, reply)
}

/** An Outage for a body without JSON-RPC: possibly a rate limit, with any status. */
function plainOutage(node: string, { status, body }: HttpReply): Outage {
  const words = plainWords(body)
  const what = status < 400 ? 'answered no JSON-RPC' : `answered HTTP ${status}`
  const says = words === '' ? what : `${what}: ${words}`
  if (BUSY_WORDS.test(words)) return new Outage(node, says, { retryAfterMs: BUSY_PAUSE_MS })
  const isTransient = status === REQUEST_TIMEOUT || status >= 500
  if (status < 400 || (isTransient && status !== NOT_IMPLEMENTED)) return new Outage(node, says)
  return new Declined(node, says, status)
}

/** The start of a text; pages of HTML say nothing. */
function plainWords(body: Buffer): string {
  const text = body.subarray(0, SAID_MAX).toString('utf8').trim()
  return text.startsWith('<') ? '' : printable(text)
}

/** The answer to a single call. */
function answerOf(node: string, sent: Sent, reply: HttpReply): RpcAnswer {
  return {
    id: sent.id,
    body: reply.status < 400 ? reply.body : null,
    result: () => resultOf(node, sent, parseReply(node, reply)),
    exact: () => {
      resultOf(node, sent, parseReply(node, reply))
      return Object(parseBodyExactly(node, reply.body)).result
    },
  }
}

/**
 * The answers as parts of the body, null for a missing one. The whole body is parsed if a part
 * cannot be parsed alone. Throws if the node refuses the whole batch.
 */
function answersOf(
  node: string,
  sent: readonly Sent[],
  reply: HttpReply,
): readonly (RpcAnswer | null)[] {
  const bodies = reply.status < 400 ? splitBatch(reply.body, sent.length) : null
  const byId = once(() => answersById(node, sent, parseReply(node, reply)))
  const exactly = once(() => answersById(node, sent, parseBodyExactly(node, reply.body)))
  if (bodies === null) byId()
  return sent.map((one, at): RpcAnswer | null => {
    const body = bodies?.[at] ?? null
    const own = once(() => {
      const answer = body === null ? undefined : parseBody(node, body)
      return isObject(answer) && isIdOf(one, answer.id) ? answer : byId().get(String(one.id))
    })
    if ((body === null || body.length <= REFUSAL_BYTES_MAX) && !isAnswer(own())) return null
    return {
      id: one.id,
      body,
      result: () => resultOf(node, one, own()),
      exact: () => {
        resultOf(node, one, own())
        return Object(exactly().get(String(one.id))).result
      },
    }
  })
}

function answersById(
  node: string,
  sent: readonly Sent[],
  answers: unknown,
): ReadonlyMap<string, unknown> {
  if (isError(answers)) throw rpcRefusal(node, sent[0]?.method ?? 'batch', answers.error)
  if (!Array.isArray(answers)) throw new Outage(node, 'answered a batch with something else')
  return new Map(answers.flatMap((one) => (isObject(one) ? [[String(one.id), one]] : [])))
}

/** Whether it holds a result or an error. */
function isAnswer(answer: unknown): boolean {
  return isObject(answer) && (isError(answer) || answer.result !== undefined)
}

/** For a long body, null: a refusal is short. */
function refusalOf({ body, result }: RpcAnswer): RpcRefusal | null {
  if (body !== null && body.length > REFUSAL_BYTES_MAX) return null
  try {
    result()
    return null
  } catch (error) {
    if (error instanceof RpcRefusal) return error
    throw error
  }
}

/** The answer; throws if it is invalid, or a refusal. */
function demandResult(answer: RpcAnswer): RpcAnswer {
  const refusal = refusalOf(answer)
  if (refusal !== null) throw refusal
  return answer
}

function failing(_call: RpcCall, error: unknown): RpcAnswer {
  const fail = () => {
    throw error
  }
  return { id: 0, body: null, result: fail, exact: fail }
}

function failingIfRefused(call: RpcCall): (error: unknown) => RpcAnswer {
  return (error) => {
    if (error instanceof RpcRefusal) return failing(call, error)
    throw error
  }
}

function resultOf(node: string, sent: Sent, answer: unknown): unknown {
  if (!isObject(answer)) throw new Outage(node, `${sent.method}: answered no JSON-RPC`)
  // An error may come without an id: the node could not read the request far enough to find it.
  const { id } = answer
  const isOurs = isIdOf(sent, id) || (isError(answer) && isMissing(id))
  if (!isOurs) throw new Outage(node, `${sent.method}: answered another request`)
  if (isError(answer)) throw rpcRefusal(node, sent.method, answer.error)
  if (answer.result === undefined) throw new Outage(node, `${sent.method}: answered nothing`)
  return answer.result
}

/** Some proxies write ids as text. */
function isIdOf({ id }: Sent, answered: unknown): boolean {
  return answered === id || answered === String(id)
}

/** The error is an object with code and message, or a text. */
function rpcRefusal(node: string, method: string, error: unknown): RpcRefusal {
  const { code, message = error }: Record<string, unknown> = isObject(error) ? error : {}
  const said = typeof message === 'string' ? printable(message) : 'an error without a message'
  return new RpcRefusal(node, method, {
    code: Number.parseInt(String(code), 10) || 0,
    message: said,
  })
}

/** Messages of nodes are logged and stored: in one line, without characters that cannot be. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').replaceAll(/ +/g, ' ')
}

/** An error that is a plain text comes from a failing gateway, not from the node. */
function holdsError(answer: unknown, status: number): boolean {
  return isError(answer) && (isObject(answer.error) || status < 500)
}

function isError(answer: unknown): answer is { error: unknown } {
  return isObject(answer) && (isObject(answer.error) || typeof answer.error === 'string')
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The result of the first call, kept for the others. */
function once<T>(work: () => T): () => T {
  let done: { value: T } | null = null
  return () => (done ??= { value: work() }).value
}
