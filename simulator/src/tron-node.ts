import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen, shut } from './listen.ts'
import { readBody } from './read-body.ts'
import { METHODS, type Request, type Side, TronFault } from './tron/methods.ts'
import { TronChain, type TronChainOptions } from './tron-chain.ts'

export interface TronNodeOptions extends TronChainOptions {
  port?: number
  /** A chain that another node has already. */
  chain?: TronChain
  /** Which of its two interfaces the node has; both unless given. */
  sides?: readonly Side[]
  /** Methods this node does not have, `getblock` of older versions say. */
  without?: readonly string[]
}

/** How a node turns callers away: its own limit, or one of those that providers set. */
export type Busy =
  | 'resources'
  | 'suspended-200'
  | 'suspended-403'
  | 'suspended-429'
  | 'too-many-429'
  | 'too-many-text'
  | 'away-503'

export interface TronNode {
  readonly url: string
  readonly port: number
  readonly chain: TronChain
  /** Calls so far, for each path. */
  readonly counts: Readonly<Record<string, number>>
  /** Headers of the call answered last. */
  readonly headers: () => IncomingMessage['headers']
  /** From now on the node has another first block, or its own again (null). */
  setGenesis(id: string | null): void
  /** Makes the node refuse all requests, or none (null). */
  setBusy(busy: Busy | null): void
  stop(): Promise<void>
}

const BODY_BYTES_MAX = 4 * 1024 * 1024
const LIMIT = 'The key exceeds the frequency limit(15), and the query server is suspended for 30s'
const BIG = '#int#'
const BUSY: Record<Busy, { status: number; body: string; headers?: Record<string, string> }> = {
  resources: {
    status: 200,
    body: fault('java.lang.IllegalAccessException', 'lack of computing resources'),
  },
  'suspended-200': { status: 200, body: JSON.stringify({ Error: LIMIT }) },
  'suspended-403': { status: 403, body: JSON.stringify({ Error: LIMIT }) },
  'suspended-429': { status: 429, body: JSON.stringify({ Error: LIMIT }) },
  'too-many-429': { status: 429, body: '', headers: { 'retry-after': '7' } },
  'too-many-text': { status: 200, body: 'Too many requests, slow down.' },
  'away-503': { status: 503, body: 'Service Unavailable' },
}

/**
 * A simulated TRON node on 127.0.0.1 that speaks the HTTP interface of java-tron: `/wallet` for its
 * head, `/walletsolidity` for what is solid, errors with status 200, and nothing for what is zero.
 */
export async function startTronNode(options: TronNodeOptions = {}): Promise<TronNode> {
  const chain = options.chain ?? new TronChain(options)
  const state: NodeState = {
    chain,
    counts: {},
    without: options.without ?? [],
    sides: options.sides ?? ['wallet', 'walletsolidity'],
    genesis: null,
    busy: null,
    headers: {},
  }
  const server = createServer((request, response) => {
    serve(state, request, response).catch(() => response.destroy())
  })
  const port = await listen(server, options.port)
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    chain,
    counts: state.counts,
    headers: () => state.headers,
    setGenesis(id) {
      state.genesis = id
    },
    setBusy(busy) {
      state.busy = busy
    },
    stop: () => shut(server),
  }
}

interface NodeState {
  readonly chain: TronChain
  readonly counts: Record<string, number>
  readonly without: readonly string[]
  readonly sides: readonly Side[]
  genesis: string | null
  busy: Busy | null
  headers: IncomingMessage['headers']
  /** Number of blocks behind the chain. */
  readonly behind?: number
}

async function serve(
  state: NodeState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const text = await readBody(request, BODY_BYTES_MAX)
  const { pathname } = new URL(request.url ?? '/', 'http://node')
  state.counts[pathname] = (state.counts[pathname] ?? 0) + 1
  state.headers = request.headers
  if (text === null) return reply(response, 413, 'body is too large')
  if (state.busy !== null) {
    const { status, body, headers } = BUSY[state.busy]
    return reply(response, status, body, headers)
  }
  const { status, body } = answer(state, pathname, text)
  reply(response, status, body)
}

/**
 * A node's answer to a request, without a server: for callers in the process of the chain.
 * `genesis`: with another first block; `behind`: number of blocks behind the head.
 */
export function answerTron(
  chain: TronChain,
  path: string,
  body: string,
  { genesis = null, behind = 0 }: { genesis?: string | null; behind?: number } = {},
): { status: number; body: string } {
  const sides: readonly Side[] = ['wallet', 'walletsolidity']
  const state = { chain, counts: {}, without: [], sides, genesis, busy: null, headers: {} }
  return answer({ ...state, behind }, path, body)
}

function reply(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body)
}

function answer(state: NodeState, path: string, body: string): { status: number; body: string } {
  const [, side, name = ''] = path.split('/')
  const isSide = side === 'wallet' || side === 'walletsolidity'
  const method = isSide && state.sides.includes(side) ? METHODS[side][name] : undefined
  if (!isSide || method === undefined || state.without.includes(name))
    return { status: 404, body: '<html><title>Error 404 Not Found</title></html>' }
  try {
    const request = requestOf(body)
    const { chain } = state
    const newest = side === 'wallet' ? chain.head() : chain.solid()
    const tip = chain.at(newest.height - (state.behind ?? 0)) ?? newest
    return { status: 200, body: disguised(state, write(method({ chain, side, tip }, request))) }
  } catch (error) {
    const type = error instanceof TronFault ? error.type : 'java.lang.Exception'
    return {
      status: 200,
      body: fault(type, error instanceof Error ? error.message : String(error)),
    }
  }
}

/** Lists of one thing, as signatures are, count as that thing. */
function requestOf(body: string): Request {
  const fields: Record<string, unknown> = { ...Object(body === '' ? {} : JSON.parse(body)) }
  const request: Request = {}
  for (const [key, value] of Object.entries(fields)) {
    const one: unknown = Array.isArray(value) ? value[0] : value
    const isKnown = typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean'
    if (isKnown) request[key] = one
  }
  return request
}

/** Integers of 64 bits are JSON numbers, exact ones. */
function write(value: unknown): string {
  const replace = (_: string, one: unknown) => (typeof one === 'bigint' ? `${BIG}${one}` : one)
  return JSON.stringify(value, replace).replaceAll(new RegExp(`"${BIG}(-?\\d+)"`, 'g'), '$1')
}

function disguised({ genesis, chain }: NodeState, body: string): string {
  const own = chain.at(0)?.id
  return genesis === null || own === undefined ? body : body.replaceAll(own, genesis)
}

function fault(type: string, message: string): string {
  return JSON.stringify({ Error: `class ${type} : ${message}` })
}
