import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { listen, shut } from './listen.ts'
import { readBody } from './read-body.ts'
import { completeOf, faultShape, XRPL_METHODS } from './xrpl/methods.ts'
import { acceptSocket, type Socket } from './xrpl/socket.ts'
import { XrplFault, type XrplView } from './xrpl/view.ts'
import { XrplChain, type XrplChainOptions, type XrplLedger } from './xrpl-chain.ts'

export interface XrplNodeOptions extends XrplChainOptions {
  port?: number
  /** A network that another node follows already: two doors to one world. */
  chain?: XrplChain
  kind?: XrplView['kind']
  /** The newest version of the API that the node knows. */
  versionMax?: number
}

export interface XrplNode {
  readonly url: string
  /** The same node by WebSocket. */
  readonly socketUrl: string
  readonly port: number
  readonly chain: XrplChain
  /** Calls so far, for each method. */
  readonly counts: Readonly<Record<string, number>>
  /** Sets the network id of the answers: another, none (null), or its own (undefined). */
  setNetworkId(networkId: number | null | undefined): void
  /** From now on these heights, from and to, are not in its history. */
  setMissing(ranges: readonly (readonly [number, number])[]): void
  setServerState(state: string): void
  /** Makes the node refuse all requests with this status, or none (null). */
  setBusy(status: number | null): void
  /** How many listen by WebSocket to ledgers as they close. */
  listeners(): number
  /** Ends all connections by WebSocket. */
  hangUp(): void
  stop(): Promise<void>
}

type Json = Record<string, unknown>

interface NodeState {
  readonly view: XrplView
  readonly counts: Record<string, number>
  readonly sockets: Map<Socket, Set<string>>
  readonly versionMax: number
  busy: number | null
}

const BODY_BYTES_MAX = 1_000_000

/**
 * A simulated node of the XRP Ledger on 127.0.0.1, like rippled and Clio: JSON-RPC over HTTP and
 * the same commands over WebSocket, API versions 1 and 2. It closes ledgers only on request.
 */
export async function startXrplNode(options: XrplNodeOptions = {}): Promise<XrplNode> {
  const chain = options.chain ?? new XrplChain(options)
  const kind = options.kind ?? 'rippled'
  const view: XrplView = { chain, kind, missing: [], serverState: 'full', networkId: undefined }
  const { versionMax = 2 } = options
  const state: NodeState = { view, counts: {}, sockets: new Map(), versionMax, busy: null }
  const server = createServer((request, response) => {
    serve(state, request, response).catch(() => response.destroy())
  })
  server.on('upgrade', (request, stream) => greet(state, request, stream))
  const deafen = chain.hear(() => announce(state, chain.validated()))
  const port = await listen(server, options.port)
  const hangUp = () => {
    for (const socket of state.sockets.keys()) socket.close()
  }
  return {
    url: `http://127.0.0.1:${port}`,
    socketUrl: `ws://127.0.0.1:${port}`,
    port,
    chain,
    counts: state.counts,
    setNetworkId: (networkId) => void (view.networkId = networkId),
    setMissing: (ranges) => void (view.missing = ranges),
    setServerState: (serverState) => void (view.serverState = serverState),
    setBusy: (status) => void (state.busy = status),
    listeners: () => [...state.sockets.values()].filter((one) => one.has('ledger')).length,
    hangUp,
    async stop() {
      deafen()
      hangUp()
      await shut(server)
    },
  }
}

async function serve(
  state: NodeState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const text = await readBody(request, BODY_BYTES_MAX)
  if (state.busy !== null || text === null) {
    response.writeHead(state.busy ?? 413).end('Server is overloaded')
    return
  }
  const { status, body } = reply(state, text)
  response.writeHead(status, status === 200 ? { 'content-type': 'application/json' } : {})
  response.end(body)
}

/** A node's answer to a request, without a server: for callers in the process of the chain. */
export function answerXrpl(
  chain: XrplChain,
  text: string,
  { networkId }: Pick<XrplView, 'networkId'> = { networkId: undefined },
): { status: number; body: string } {
  const kind = 'rippled'
  const view: XrplView = { chain, kind, missing: [], serverState: 'full', networkId }
  return reply({ view, counts: {}, sockets: new Map(), versionMax: 2, busy: null }, text)
}

function reply(state: NodeState, text: string): { status: number; body: string } {
  const message = parseMessage(text)
  const params: Json = Object(Array.isArray(message?.['params']) ? message['params'][0] : undefined)
  if (message === null || typeof message['method'] !== 'string') {
    return { status: 400, body: 'Unable to parse request' }
  }
  const version = Number(params['api_version'] ?? 1)
  if (version < 1 || version > state.versionMax) {
    return { status: 400, body: 'invalid_API_version' }
  }
  const result = answer(state, message['method'], { version, params })
  return { status: 200, body: JSON.stringify({ result }) }
}

function parseMessage(text: string): Json | null {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : null
  } catch {
    return null
  }
}

/** The result of a command; an error names the command and what it was asked. */
function answer(
  state: NodeState,
  method: string,
  { version, params }: { version: number; params: Json },
): Json {
  state.counts[method] = (state.counts[method] ?? 0) + 1
  try {
    const known = XRPL_METHODS[method]
    if (known === undefined) throw new XrplFault('unknownCmd')
    return { ...known(state.view, { version, params }), status: 'success' }
  } catch (error) {
    if (!(error instanceof XrplFault)) throw error
    return { ...faultShape(error), request: { ...params, command: method }, status: 'error' }
  }
}

function greet(state: NodeState, request: IncomingMessage, stream: Duplex) {
  const socket: Socket = acceptSocket(request, stream, {
    onText: (text) => socket.send(JSON.stringify(replyTo(state, socket, text))),
    onEnd: () => void state.sockets.delete(socket),
  })
  state.sockets.set(socket, new Set())
}

/** Over WebSocket the command and its parameters are one object, and so are answer and id. */
function replyTo(state: NodeState, socket: Socket, text: string): Json {
  const message = parseMessage(text)
  const { id, command, api_version: version = 1, ...params } = message ?? {}
  if (typeof command !== 'string') {
    return { error: 'jsonInvalid', status: 'error', type: 'error', value: text }
  }
  if (command === 'subscribe') {
    const { streams } = params
    for (const one of Array.isArray(streams) ? streams : []) state.sockets.get(socket)?.add(one)
    return { id, result: lastLedger(state.view), status: 'success', type: 'response' }
  }
  const request = { version: Number(version), params }
  const { status, ...result } = answer(state, command, request)
  if (status === 'error') return { ...result, id, status, type: 'response' }
  return { id, result, status, type: 'response' }
}

function announce({ sockets, view }: NodeState, ledger: XrplLedger): void {
  const message = {
    ...lastLedger(view),
    ledger_hash: ledger.hash,
    ledger_index: ledger.height,
    ledger_time: ledger.closeTime,
    txn_count: ledger.transactions.length,
    type: 'ledgerClosed',
  }
  for (const [socket, streams] of sockets) {
    if (streams.has('ledger')) socket.send(JSON.stringify(message))
  }
}

function lastLedger(view: XrplView): Json {
  const { baseFee, reserveBase, reserveStep } = view.chain.fees
  const { hash, height, closeTime } = view.chain.validated()
  return {
    fee_base: Number(baseFee),
    ledger_hash: hash,
    ledger_index: height,
    ledger_time: closeTime,
    reserve_base: Number(reserveBase),
    reserve_inc: Number(reserveStep),
    validated_ledgers: completeOf(view),
  }
}
