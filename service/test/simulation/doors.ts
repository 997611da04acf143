import { Outage } from '../../src/base/fault.ts'
import type { HttpPost, HttpReply, OpenHttp } from '../../src/chains/http.ts'
import { type FaultRates, type NodeFault, strike } from './faults.ts'
import type { Gate } from './gate.ts'

/** A call as a node reads it. */
export interface NodeCall {
  method: string
  params: readonly unknown[]
}

/** A chain's nodes, as they are reached. */
export interface NodeHarness {
  /** Answers a request; `stale`: as a node that is this many blocks behind. */
  answer(request: { path: string; body: string; stale: number; liesOfChain: boolean }): Promise<{
    status: number
    body: string
  }>
  /** A text that identifies the request, and whether it broadcasts a transaction. */
  describe(request: { path: string; body: string }): { text: string; sends: boolean }
  /** The body as a node without its logs returns it; null if it contains no logs. */
  withoutLogs(request: { path: string; body: string }, answer: string): string | null
}

export interface DoorWorld {
  /** The chain of a URL. */
  houseOf(url: string): NodeHarness
  rates(): FaultRates
  /** The key of the current event. */
  eventKey(): string
  struck(fault: NodeFault): void
  /** Called before each query of a node. */
  asks(): void
  /** A node received a transaction. */
  hears(url: string): Promise<void>
}

const STALE_MAX = 12
const BUSY_MS_MAX = 20_000

/** Nodes without sockets: requests go to the chain models, through the faults of the seed. */
export function openDoors(world: DoorWorld, gate: Gate): OpenHttp {
  const seen = new Map<string, number>()
  let event = ''
  const keyOf = (url: string, text: string) => {
    if (event !== world.eventKey()) {
      event = world.eventKey()
      seen.clear()
    }
    const call = `${url} ${text}`
    const nth = (seen.get(call) ?? 0) + 1
    seen.set(call, nth)
    return `${event} ${call} ${nth}`
  }
  return () => ({
    node: ({ url }) => ({
      name: url,
      post: async (post) => {
        await gate.call('node')
        world.asks()
        const harness = world.houseOf(url)
        const request = { path: post.path ?? '', body: post.body }
        const about = harness.describe(request)
        const struck = strike(world.rates(), keyOf(url, about.text))
        if (struck !== null) world.struck(struck.fault)
        const hears = async () => (about.sends ? world.hears(url) : undefined)
        const reply = await exchange(harness, { url, request, post, struck, hears })
        gate.pass('answer')
        return reply
      },
    }),
    close: async () => undefined,
  })
}

async function exchange(
  harness: NodeHarness,
  options: {
    url: string
    request: { path: string; body: string }
    post: HttpPost
    struck: ReturnType<typeof strike>
    hears: () => Promise<void>
  },
): Promise<HttpReply> {
  const { url, request, struck, hears } = options
  const fault = struck?.fault
  if (fault === 'timeout') throw new Outage(url, 'no answer within 10000 ms')
  if (fault === 'busy') {
    const retryAfterMs = struck?.random.int(BUSY_MS_MAX) ?? 0
    throw new Outage(url, 'answered HTTP 429', { retryAfterMs })
  }
  if (fault === 'failing') return replyOf(500, 'internal error')
  const stale = fault === 'stale' ? 1 + (struck?.random.int(STALE_MAX) ?? 0) : 0
  const liesOfChain = fault === 'wrongChain'
  const { status, body } = await harness.answer({ ...request, stale, liesOfChain })
  await hears()
  if (fault === 'dropAfter') throw new Outage(url, 'cannot be reached (ECONNRESET)')
  if (fault === 'truncated') return replyOf(status, body.slice(0, body.length >> 1))
  if (fault === 'malformed') return replyOf(status, '<html>gateway</html>')
  if (fault === 'empty') return replyOf(status, harness.withoutLogs(request, body) ?? body)
  return replyOf(status, body)
}

function replyOf(status: number, body: string): HttpReply {
  return { status, body: Buffer.from(body) }
}
