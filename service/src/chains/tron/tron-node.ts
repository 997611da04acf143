import type { Clock } from '../../base/clock.ts'
import { Outage } from '../../base/fault.ts'
import { RETRY_AFTER_MAX_MS } from '../http.ts'
import type { Http, HttpNode, HttpReply } from '../http.ts'
import type { RequestReport } from '../json-rpc.ts'
import type { NodeOptions } from '../options.ts'
import { parseBodyExactly } from '../parse-body.ts'
import { wordsOf } from './rpc.ts'

/** The interface of a node: the state of its head, or the solid state that no fork can replace. */
export type Side = 'wallet' | 'walletsolidity'

/** One TRON node: java-tron's HTTP interface, or that of a provider. */
export interface TronNode {
  readonly name: string
  /**
   * The answer to one request, as unparsed JSON with exact integers. Throws a NodeRefusal if the
   * node answers with an error, any other Outage if it does not answer properly.
   */
  ask(question: Question): Promise<unknown>
}

interface Question {
  side?: Side
  method: string
  params?: Readonly<Record<string, unknown>>
  bytesMax?: number
}

/** The node answered with an error, mostly with status 200. */
export class NodeRefusal extends Outage {
  readonly said: string

  constructor(node: string, method: string, said: string) {
    super(node, `${method}: ${said}`)
    this.said = said
  }
}

/** The node does not have the method. */
export class NoSuchMethod extends NodeRefusal {}

const SMALL_BYTES_MAX = 1_000_000
const TOO_BUSY = /frequency limit|lack of computing resources|suspended for|rate limit|too many/i
const SUSPENDED_SECONDS = /suspended for (\d{1,4}) ?s/i
/** Used if a node does not say how long to wait. */
const BUSY_PAUSE_MS = 3_000
const MISSING_STATUSES = new Set([404, 405])
const TOO_MANY_REQUESTS = 429
const PLAIN_BYTES_MAX = 1_000

/** Opens a node. If it has one address for both interfaces, `solidity` is omitted. */
export function openTronNode(
  http: Http,
  { solidity, ...options }: NodeOptions,
  { clock, onRequest }: { clock: Clock; onRequest: (report: RequestReport) => void },
): TronNode {
  const wallet = http.node(options)
  const solid = solidity === undefined ? wallet : http.node({ ...options, url: solidity })
  const { name } = wallet
  return {
    name,
    ask: async ({ side = 'wallet', method, params = {}, bytesMax = SMALL_BYTES_MAX }) => {
      const startedAt = clock.now()
      const tell = (outcome: RequestReport['outcome']) =>
        onRequest({ node: name, method: `${side}/${method}`, outcome, ms: clock.now() - startedAt })
      try {
        const body = JSON.stringify(params)
        const node = side === 'wallet' ? wallet : solid
        const reply = await node.post({ path: `/${side}/${method}`, body, bytesMax })
        const answer = read(node, method, reply)
        tell('ok')
        return answer
      } catch (error) {
        tell(error instanceof NodeRefusal ? 'refused' : 'outage')
        throw error
      }
    },
  }
}

/**
 * The answer, or the refusal: rate limits come as 403, 429, 503 or 200, with the wait in the body
 * or in a header; some bodies are plain text.
 */
function read({ name }: HttpNode, method: string, reply: HttpReply): unknown {
  const { status, retryAfterMs = null } = reply
  const answer = parseBodyExactly(name, reply.body)
  const isJson = typeof answer === 'object' && answer !== null
  const said = isJson ? errorOf(answer) : plainWords(reply.body)
  // A bare 503 may come from a proxy before the node: it may be retried soon.
  const isBusy = status === TOO_MANY_REQUESTS || (said !== null && TOO_BUSY.test(said))
  if (isBusy) throw busy(name, said ?? `HTTP ${status}`, retryAfterMs)
  if (MISSING_STATUSES.has(status)) throw new NoSuchMethod(name, method, `answered HTTP ${status}`)
  const words = said === null || said === '' ? '' : `: ${said}`
  if (status >= 400) {
    const options = retryAfterMs === null ? {} : { retryAfterMs }
    throw new Outage(name, `answered HTTP ${status}${words}`, options)
  }
  if (!isJson) throw new Outage(name, `answered no JSON${words}`)
  if (said !== null) throw new NodeRefusal(name, method, said)
  return answer
}

/** The message of a body that is not JSON; HTML pages have none. */
function plainWords(body: Buffer): string {
  const text = body.subarray(0, PLAIN_BYTES_MAX).toString('utf8')
  return text.trimStart().startsWith('<') ? '' : wordsOf(text)
}

/** The error in an answer; null without one. Providers write it in two ways. */
function errorOf(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return null
  const { Error: error, error: other, success }: Record<string, unknown> = { ...answer }
  if (typeof error === 'string') return wordsOf(error)
  return success === false && typeof other === 'string' ? wordsOf(other) : null
}

/** The longer wait of the message and the header. */
function busy(node: string, said: string, asked: number | null): Outage {
  const seconds = SUSPENDED_SECONDS.exec(said)?.[1]
  const worded = seconds === undefined ? null : Number(seconds) * 1_000
  const retryAfterMs =
    worded === null && asked === null ? BUSY_PAUSE_MS : Math.max(worded ?? 0, asked ?? 0)
  const message = `turns us away: ${said}`
  return new Outage(node, message, { retryAfterMs: Math.min(retryAfterMs, RETRY_AFTER_MAX_MS) })
}
