import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { EvmChain } from './evm-chain.ts'
import { METHODS } from './evm/methods.ts'
import { RpcFault } from './evm/params.ts'
import type { EvmChainOptions } from './evm/requests.ts'
import { listen, shut } from './listen.ts'
import { readBody } from './read-body.ts'

const BODY_BYTES_MAX = 5 * 1024 * 1024
const BATCH_CALLS_MAX = 1_000
const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
const METHOD_NOT_FOUND = -32_601
const INTERNAL_ERROR = -32_603

export interface EvmNodeOptions extends EvmChainOptions {
  port?: number
  /** Methods this node does not have, as providers and clients differ: `trace_block`, say. */
  without?: readonly string[]
  /** A chain that another node has already: two doors to one world. */
  chain?: EvmChain
}

export interface EvmNode {
  readonly url: string
  readonly port: number
  readonly chain: EvmChain
  /** Calls so far, for each method. */
  readonly counts: Readonly<Record<string, number>>
  /** Answers without HTTP; throws RpcFault. */
  rpc<T>(method: string, params?: readonly unknown[]): Promise<T>
  /** Sets the chain id that the node returns; null restores its own. */
  setChainId(chainId: number | null): void
  stop(): Promise<void>
}

/**
 * A simulated EVM node on 127.0.0.1 that speaks JSON-RPC 2.0 over HTTP, single calls and batches,
 * with geth's answers and errors. Tests change its chain through `chain`; it mines only on request.
 */
export async function startEvmNode(options: EvmNodeOptions): Promise<EvmNode> {
  const chain = options.chain ?? new EvmChain(options)
  const state: NodeState = { chain, counts: {}, without: options.without ?? [], chainId: null }
  const server = createServer((request, response) => {
    serve(state, request, response).catch(() => response.destroy())
  })
  const port = await listen(server, options.port)
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    chain,
    counts: state.counts,
    rpc: async (method, params = []) => parseCopy(answer(state, method, params)),
    setChainId(chainId) {
      state.chainId = chainId
    },
    stop: () => shut(server),
  }
}

/** A node's answer to one call, without a server: for callers in the process of the chain. */
export function answerEvm(
  chain: EvmChain,
  method: string,
  params: readonly unknown[],
): { result: unknown } | { error: { code: number; message: string } } {
  const known = METHODS[method]
  if (known === undefined) return { error: { code: METHOD_NOT_FOUND, message: `no ${method}` } }
  try {
    return { result: known(chain, params) }
  } catch (error) {
    if (!(error instanceof RpcFault)) throw error
    return { error: { code: error.code, message: error.message } }
  }
}

interface NodeState {
  readonly chain: EvmChain
  readonly counts: Record<string, number>
  readonly without: readonly string[]
  /** Overrides of the true answers. */
  chainId: number | null
}

async function serve(
  state: NodeState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(405).end()
    return
  }
  const text = await readBody(request, BODY_BYTES_MAX)
  if (text === null) {
    response.writeHead(413).end('request entity too large')
    return
  }
  const body = replyTo(state, text)
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

function replyTo(state: NodeState, text: string): unknown {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return errorReply(null, PARSE_ERROR, 'parse error')
  }
  if (!Array.isArray(message)) return replyToCall(state, message)
  if (message.length === 0) return errorReply(null, INVALID_REQUEST, 'empty batch')
  if (message.length > BATCH_CALLS_MAX) return errorReply(null, INVALID_REQUEST, 'batch too large')
  return message.map((call) => replyToCall(state, call))
}

function replyToCall(state: NodeState, call: unknown): unknown {
  const { id = null, method, params = [] } = Object(call)
  if (typeof method !== 'string') return errorReply(null, INVALID_REQUEST, 'invalid request')
  if (!Array.isArray(params)) return errorReply(id, INVALID_REQUEST, 'non-array args')
  try {
    return { jsonrpc: '2.0', id, result: answer(state, method, params) }
  } catch (error) {
    if (error instanceof RpcFault) return errorReply(id, error.code, error.message)
    return errorReply(id, INTERNAL_ERROR, String(error))
  }
}

function answer(state: NodeState, method: string, params: readonly unknown[]): unknown {
  state.counts[method] = (state.counts[method] ?? 0) + 1
  const known = state.without.includes(method) ? undefined : METHODS[method]
  if (known === undefined) {
    const message = `the method ${method} does not exist/is not available`
    throw new RpcFault(METHOD_NOT_FOUND, message)
  }
  const { chainId } = state
  if (chainId !== null && method === 'eth_chainId') return `0x${chainId.toString(16)}`
  if (chainId !== null && method === 'net_version') return String(chainId)
  return known(state.chain, params)
}

function errorReply(id: unknown, code: number, message: string) {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

/** A copy as a client would get it, of the shape that the caller names. */
function parseCopy(result: unknown): never {
  const copy: { result: never } = JSON.parse(JSON.stringify({ result }))
  return copy.result
}
