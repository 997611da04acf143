import type { Clock } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import { BUSY_PAUSE_MS, type HttpNode, type HttpReply } from './http.ts'
import { parseBody, parseBodyExactly } from './parse-body.ts'
import { splitBatch } from './split-batch.ts'

/** One node that speaks JSON-RPC 2.0. Results come as parsed JSON of no certain shape. */
export interface JsonRpc {
  readonly name: string
  /**
   * An RpcRefusal where the node answers with an error, any other Outage where it does not answer
   * properly.
   */
  call(call: RpcCall, bytesMax?: number): Promise<unknown>
  /** As `call`, for who reads the answer in a way of its own. */
  read<T>(call: RpcCall, bytesMax: number, read: (answer: RpcAnswer) => T): Promise<T>
  /**
   * As `read`, of many calls in one exchange, the answers in the order of the calls. An RpcRefusal
   * where the node refuses all of it.
   */
  readTogether(calls: readonly RpcCall[], bytesMax: number): Promise<RpcAnswer[]>
  /** Many calls in one exchange, answered in their order; one that fails fails all. */
  batch(calls: readonly RpcCall[], bytesMax?: number): Promise<unknown[]>
  /** As `batch`, the numbers of the results as the texts that stand there. */
  batchExactly(calls: readonly RpcCall[], bytesMax?: number): Promise<unknown[]>
  /** As `batch`, but a call that is refused has its RpcRefusal in its place and fails no other. */
  settle(calls: readonly RpcCall[], bytesMax?: number): Promise<unknown[]>
}

/** An answer as it came. */
export interface RpcAnswer {
  /** Of the request that it must name. */
  id: number
  /**
   * Null where the node answered with a status of failure, or where nobody can tell where the
   * answer begins and ends among others.
   */
  body: Buffer | null
  /** The result, parsed; throws as `call` does. */
  result: () => unknown
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

/** The node answered, and its answer is an error: it lacks the method, the state, or the will. */
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

/** EIP-1474's "limit exceeded", and what some providers write in its place. */
const BUSY_CODES = new Set([-32_005, -32_029, 429])
const BUSY_WORDS = /rate.?limit|too many requests/i

/** Answers of a line or two: heads, balances, chain ids. */
export const SMALL_BYTES_MAX = 1_000_000
const SAID_MAX = 200

/** Speaks JSON-RPC to a node and tells `onRequest` of every exchange. */
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
  const ask = <T>(
    calls: readonly RpcCall[],
    bytesMax: number,
    read: (node: string, sent: readonly Sent[], reply: HttpReply) => T[],
  ): Promise<T[]> =>
    timed(calls[0]?.method ?? 'none', async () => {
      if (calls.length === 0) return []
      const sent = calls.map(identify)
      return read(http.name, sent, await send(http, sent, bytesMax))
    })
  return {
    name: http.name,
    call: (call, bytesMax = SMALL_BYTES_MAX) =>
      timed(call.method, async () => {
        const sent = identify(call)
        return resultOf(http.name, sent, parseReply(http.name, await send(http, sent, bytesMax)))
      }),
    read: (call, bytesMax, read) =>
      timed(call.method, async () => {
        const sent = identify(call)
        const reply = await send(http, sent, bytesMax)
        const body = reply.status < 400 ? reply.body : null
        const result = () => resultOf(http.name, sent, parseReply(http.name, reply))
        return read({ id: sent.id, body, result })
      }),
    readTogether: (calls, bytesMax) => ask(calls, bytesMax, answersOf),
    batch: (calls, bytesMax = SMALL_BYTES_MAX) => ask(calls, bytesMax, resultsOf),
    batchExactly: (calls, bytesMax = SMALL_BYTES_MAX) => ask(calls, bytesMax, exactResultsOf),
    settle: (calls, bytesMax = SMALL_BYTES_MAX) =>
      ask(calls, bytesMax, (node, sent, reply) =>
        matchAnswers(node, sent, parseReply(node, reply), refusalOrResult),
      ),
  }
}

interface Sent {
  id: number
  method: string
}

/** Tells of each exchange with a node how it ended and how long it took. */
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

/**
 * Some nodes send their errors with a status of 400 or 500, those of a whole batch too; such a body
 * is worth reading all the same.
 */
function parseReply(node: string, { status, body }: HttpReply): unknown {
  const answer = parseBody(node, body)
  const isRefusal = holdsError(answer) || (Array.isArray(answer) && answer.some(holdsError))
  if (answer !== undefined && (status < 400 || isRefusal)) return answer
  throw new Outage(node, status < 400 ? 'answered no JSON' : `answered HTTP ${status}`)
}

/** Each answer as a part of the body; all of it is parsed where a part cannot be read alone. */
function answersOf(node: string, sent: readonly Sent[], reply: HttpReply): RpcAnswer[] {
  const bodies = reply.status < 400 ? splitBatch(reply.body, sent.length) : null
  let all: unknown[] | null = null
  const whole = () =>
    (all ??= matchAnswers(node, sent, parseReply(node, reply), (_, __, one) => one))
  // A refusal of the whole batch is for all of them.
  if (bodies === null) whole()
  return sent.map((one, at): RpcAnswer => {
    const body = bodies?.[at] ?? null
    const alone = () => (body === null ? undefined : parseBody(node, body))
    const own = () => {
      const answer = alone()
      return isObject(answer) && answer.id === one.id ? answer : whole()[at]
    }
    return { id: one.id, body, result: () => resultOf(node, one, own()) }
  })
}

function resultsOf(node: string, sent: readonly Sent[], reply: HttpReply): unknown[] {
  return matchAnswers(node, sent, parseReply(node, reply), resultOf)
}

/** Every answer was found by its id, which is a text too in the exact reading. */
function exactResultsOf(node: string, sent: readonly Sent[], reply: HttpReply): unknown[] {
  resultsOf(node, sent, reply)
  const answers = Object.values(Object(parseBodyExactly(node, reply.body)))
  const byId = new Map(answers.map((answer) => [Object(answer).id, Object(answer).result]))
  return sent.map(({ id }) => byId.get(String(id)))
}

function matchAnswers(
  node: string,
  sent: readonly Sent[],
  answers: unknown,
  read: typeof resultOf,
): unknown[] {
  if (holdsError(answers)) throw refusalOf(node, sent[0]?.method ?? 'batch', answers.error)
  if (!Array.isArray(answers)) throw new Outage(node, 'answered a batch with something else')
  const byId = new Map<unknown, unknown>()
  for (const answer of answers) byId.set(isObject(answer) ? answer.id : undefined, answer)
  return sent.map((one) => read(node, one, byId.get(one.id)))
}

function refusalOrResult(node: string, sent: Sent, answer: unknown): unknown {
  try {
    return resultOf(node, sent, answer)
  } catch (error) {
    if (error instanceof RpcRefusal) return error
    throw error
  }
}

function resultOf(node: string, sent: Sent, answer: unknown): unknown {
  if (!isObject(answer)) throw new Outage(node, `${sent.method}: answered no JSON-RPC`)
  // An error may come without an id: the node could not read the request far enough to find it.
  const { id } = answer
  const isOurs = id === sent.id || (holdsError(answer) && isMissing(id))
  if (!isOurs) throw new Outage(node, `${sent.method}: answered another request`)
  if (holdsError(answer)) throw refusalOf(node, sent.method, answer.error)
  if (answer.result === undefined) throw new Outage(node, `${sent.method}: answered nothing`)
  return answer.result
}

function refusalOf(node: string, method: string, error: Record<string, unknown>): RpcRefusal {
  const code = typeof error.code === 'number' ? error.code : 0
  const message = typeof error.message === 'string' ? error.message : 'an error without a message'
  return new RpcRefusal(node, method, { code, message: printable(message) })
}

/**
 * What a stranger says ends in logs and alerts: in one line, and without what no database keeps.
 */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').replaceAll(/ +/g, ' ')
}

function holdsError(answer: unknown): answer is { error: Record<string, unknown> } {
  return isObject(answer) && isObject(answer.error)
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
