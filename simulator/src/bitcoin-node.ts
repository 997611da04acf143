import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { BitcoinChain, type BitcoinChainOptions } from './bitcoin-chain.ts'
import { writeJson } from './bitcoin/json.ts'
import { BITCOIN_METHODS, BITCOIN_MISC_ERROR, BitcoinFault } from './bitcoin/methods.ts'
import { answerRest } from './bitcoin/rest.ts'
import { listen, shut } from './listen.ts'
import { readBody } from './read-body.ts'

const BODY_BYTES_MAX = 32 * 1024 * 1024
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
const METHOD_NOT_FOUND = -32_601

export interface BitcoinNodeOptions extends BitcoinChainOptions {
  port?: number
  /** A chain that another node has already: two doors to one world. */
  chain?: BitcoinChain
  /** Whether blocks can be had as bytes as well, as of a node that runs with `-rest=1`. */
  rest?: boolean
}

export interface BitcoinNode {
  readonly url: string
  readonly port: number
  readonly chain: BitcoinChain
  /** Calls so far, for each method. */
  readonly counts: Readonly<Record<string, number>>
  stop(): Promise<void>
}

/**
 * A simulated Bitcoin node on 127.0.0.1: Core's JSON-RPC, single calls and batches, as version 2 if
 * the request names it and otherwise as Core's old protocol, with HTTP 500 for errors. It mines
 * only on request.
 */
export async function startBitcoinNode(options: BitcoinNodeOptions): Promise<BitcoinNode> {
  const chain = options.chain ?? new BitcoinChain(options)
  const state: NodeState = { chain, counts: {}, rest: options.rest ?? false }
  const server = createServer((request, response) => {
    serve(state, request, response).catch(() => response.destroy())
  })
  const port = await listen(server, options.port)
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    chain,
    counts: state.counts,
    stop: () => shut(server),
  }
}

interface NodeState {
  readonly chain: BitcoinChain
  readonly counts: Record<string, number>
  readonly rest: boolean
}

interface Reply {
  status: number
  body: unknown
}

async function serve(
  state: NodeState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = request.url ?? '/'
  if (state.rest && request.method === 'GET' && path.startsWith('/rest/')) {
    const { status, type, body } = answerRest(state.chain, path)
    response.writeHead(status, { 'content-type': type }).end(body)
    return
  }
  if (request.method !== 'POST') {
    response.writeHead(405).end('JSONRPC server handles only POST requests')
    return
  }
  const text = await readBody(request, BODY_BYTES_MAX)
  if (text === null) {
    response.writeHead(413).end()
    return
  }
  const { status, body } = replyTo(state, text)
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(`${writeJson(body)}\n`)
}

/** A node's answer to a request, without a server: for callers in the process of the chain. */
export function answerBitcoin(chain: BitcoinChain, text: string): { status: number; body: string } {
  const { status, body } = replyTo({ chain, counts: {}, rest: false }, text)
  return { status, body: writeJson(body) }
}

function replyTo(state: NodeState, text: string): Reply {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return { status: 500, body: old(null, null, { code: PARSE_ERROR, message: 'Parse error' }) }
  }
  if (!Array.isArray(message)) return replyToCall(state, message)
  return { status: 200, body: message.map((call) => replyToCall(state, call).body) }
}

function replyToCall(state: NodeState, call: unknown): Reply {
  const { id = null, method, params = [], jsonrpc } = Object(call)
  const isNew = jsonrpc === '2.0'
  try {
    const result = answer(state, method, params)
    return { status: 200, body: isNew ? { jsonrpc, result, id } : old(id, result, null) }
  } catch (fault) {
    const code = fault instanceof BitcoinFault ? fault.code : BITCOIN_MISC_ERROR
    const error = { code, message: fault instanceof Error ? fault.message : String(fault) }
    if (isNew) return { status: 200, body: { jsonrpc, error, id } }
    return { status: code === METHOD_NOT_FOUND ? 404 : 500, body: old(id, null, error) }
  }
}

function old(id: unknown, result: unknown, error: unknown) {
  return { result, error, id }
}

function answer(state: NodeState, method: unknown, params: unknown): unknown {
  if (typeof method !== 'string') throw new BitcoinFault(INVALID_REQUEST, 'Missing method')
  if (!Array.isArray(params)) throw new BitcoinFault(INVALID_REQUEST, 'Params must be an array')
  state.counts[method] = (state.counts[method] ?? 0) + 1
  const known = BITCOIN_METHODS[method]
  if (known === undefined) throw new BitcoinFault(METHOD_NOT_FOUND, 'Method not found')
  return known(state.chain, params)
}
