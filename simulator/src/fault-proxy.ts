import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  type AddedRule,
  type FaultAction,
  type FaultRule,
  faultRules,
  type ProxiedCall,
} from './fault-rules.ts'
import { type HttpReply, httpSend } from './http-send.ts'
import { listen, shut } from './listen.ts'
import { seeded } from './seeded.ts'
import { type RpcOutcome, staleAnswer } from './stale-view.ts'

export interface FaultProxyOptions {
  /** The node's address. */
  target: string
  seed: number | string
  port?: number
}

export interface FaultProxy {
  readonly url: string
  readonly port: number
  readonly rules: { add(rule: FaultRule): AddedRule; clear(): void }
  /** Calls received so far by method; calls of batches are counted separately. */
  readonly counts: Readonly<Record<string, number>>
  /** HTTP requests received so far. */
  readonly requests: number
  /** From now on calls go to this node. */
  retarget(url: string): void
  stop(): Promise<void>
}

/**
 * A proxy on 127.0.0.1 between a program and a node, which forwards calls byte for byte unless a
 * rule matches. It reads JSON-RPC, single and in batches; other HTTP bodies count as one call of
 * their path.
 */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const rules = faultRules(seeded(options.seed))
  const counts: Record<string, number> = {}
  const agent = new Agent({ keepAlive: true })
  let target = options.target
  let requests = 0
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    requests += 1
    const exchange = await readExchange(request, (url, body) => forward(agent, url, request, body))
    const struck = exchange.calls.map((call, at) => {
      counts[call.method] = (counts[call.method] ?? 0) + 1
      return rules.strike(call, at)
    })
    await answer({ exchange, struck, target, response })
  }
  const server = createServer((request, response) => {
    // An outage of the node reaches the client as one: no answer.
    handle(request, response).catch(() => response.destroy())
  })
  const port = await listen(server, options.port)
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    rules,
    counts,
    get requests() {
      return requests
    },
    retarget(url) {
      target = url
    },
    async stop() {
      await shut(server)
      agent.destroy()
    },
  }
}

type Send = (url: string, body: Buffer) => Promise<HttpReply>

interface Exchange {
  kind: 'single' | 'batch' | 'plain'
  body: Buffer
  calls: (ProxiedCall & { id: unknown; message: unknown })[]
  send: Send
}

interface Turn {
  exchange: Exchange
  /** The actions that strike each call, in the order of the calls. */
  struck: FaultAction[][]
  target: string
  response: ServerResponse
}

async function readExchange(request: IncomingMessage, send: Send): Promise<Exchange> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const body = Buffer.concat(chunks)
  const path = new URL(request.url ?? '/', 'http://proxy').pathname
  const parsed = parseJson(body)
  const messages: unknown[] = Array.isArray(parsed) ? parsed : [parsed]
  const calls = messages.map((message) => {
    const { method, params, id } = Object(message)
    if (typeof method !== 'string') return { method: path, params: [message], id: null, message }
    return { method, params: Array.isArray(params) ? params : [params], id, message }
  })
  const isRpc = messages.every((message) => typeof Object(message).method === 'string')
  const kind = isRpc ? (Array.isArray(parsed) ? 'batch' : 'single') : 'plain'
  return { kind, body, calls: kind === 'plain' ? calls.slice(0, 1) : calls, send }
}

async function answer(turn: Turn): Promise<void> {
  const { exchange, struck, target, response } = turn
  const actions = struck.flat()
  for (const action of actions) if (action.do === 'delay') await pause(action.ms)
  if (actions.some((action) => refuse(action, response))) return
  const isEdited = actions.some(({ do: name }) => EDITS.has(name))
  const reply = isEdited ? await editedReply(turn) : await exchange.send(target, exchange.body)
  if (actions.some((action) => action.do === 'dropAfter')) {
    response.destroy()
    return
  }
  const isCut = actions.some((action) => action.do === 'truncate')
  const body = isCut ? reply.body.subarray(0, reply.body.length >> 1) : reply.body
  const type = reply.headers['content-type'] ?? 'application/json'
  response.writeHead(reply.status, { 'content-type': type, 'content-length': body.length })
  response.end(body)
}

const EDITS = new Set<FaultAction['do']>(['emptyResult', 'mutate', 'error', 'route', 'stale'])

/** Ends the exchange if the action keeps the call from the node. */
function refuse(action: FaultAction, response: ServerResponse): boolean {
  if (action.do === 'dropBefore') response.destroy()
  else if (action.do === 'reset') response.socket?.resetAndDestroy()
  else if (action.do === 'http') {
    response.writeHead(action.status, action.headers).end(action.body)
  } else if (action.do === 'malformed') {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(action.body ?? '<html>{"jsonrpc":"2.0","id":')
  } else return false
  return true
}

/** Sends each call separately, since each may be answered by another node or be changed. */
async function editedReply(turn: Turn): Promise<HttpReply> {
  const { exchange, struck } = turn
  const answers: unknown[] = []
  for (const [index, call] of exchange.calls.entries()) {
    const outcome = await editedOutcome(turn, call, struck[index] ?? [])
    if (exchange.kind === 'plain') return jsonReply('result' in outcome ? outcome.result : outcome)
    answers.push({ jsonrpc: '2.0', id: call.id, ...outcome })
  }
  return jsonReply(exchange.kind === 'batch' ? answers : answers[0])
}

async function editedOutcome(
  { exchange, target }: Turn,
  call: Exchange['calls'][number],
  actions: FaultAction[],
): Promise<RpcOutcome> {
  const route = actions.find((action) => action.do === 'route')
  const error = actions.find((action) => action.do === 'error')
  if (error && !error.accepted) return errorOf(error)
  const stale = actions.find((action) => action.do === 'stale')
  const ask = async ({ method, params }: ProxiedCall): Promise<RpcOutcome> => {
    const isPlain = exchange.kind === 'plain'
    const message = isPlain ? call.message : { ...Object(call.message), method, params }
    const body = isPlain ? exchange.body : Buffer.from(JSON.stringify(message))
    const { body: text } = await exchange.send(route?.url ?? target, body)
    const { id: _id, jsonrpc: _version, ...rest } = Object(parseJson(text))
    return isPlain ? { result: parseJson(text) } : rest
  }
  let outcome = stale ? await staleAnswer(ask, call, stale.blocks) : await ask(call)
  for (const action of actions) outcome = await edited(outcome, action, call)
  return outcome
}

async function edited(
  outcome: RpcOutcome,
  action: FaultAction,
  call: ProxiedCall,
): Promise<RpcOutcome> {
  if (action.do === 'error') return errorOf(action)
  if (!('result' in outcome)) return outcome
  if (action.do === 'emptyResult') return { result: Array.isArray(outcome.result) ? [] : null }
  if (action.do !== 'mutate') return outcome
  // The author of a rule knows the type of the answer: a copy, to be changed in place.
  const { result }: { result: never } = JSON.parse(JSON.stringify(outcome))
  return { result: await action.change(result, { method: call.method, params: call.params }) }
}

function errorOf({ code, message }: { code: number; message: string }): RpcOutcome {
  return { error: { code, message } }
}

function forward(
  agent: Agent,
  url: string,
  from: IncomingMessage,
  body: Buffer,
): Promise<HttpReply> {
  const hop = ['host', 'content-length', 'connection', 'transfer-encoding', 'accept-encoding']
  const kept = Object.entries(from.headers).filter(([name]) => !hop.includes(name))
  const goal = `${url.replace(/\/$/, '')}${from.url ?? '/'}`
  return httpSend(agent, goal, {
    method: from.method ?? 'POST',
    headers: Object.fromEntries(kept),
    body,
  })
}

function jsonReply(value: unknown): HttpReply {
  const headers = { 'content-type': 'application/json' }
  return { status: 200, headers, body: Buffer.from(JSON.stringify(value) ?? 'null') }
}

/** Undefined if the text is not JSON. */
function parseJson(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString())
  } catch {
    return undefined
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
