import { quantity } from './hex.ts'
import type { ProxiedCall } from './fault-rules.ts'

/** Result or error of a JSON-RPC answer. */
export type RpcOutcome = { result: unknown } | { error: { code: number; message: string } }

/** Asks the node as it is. */
export type Ask = (call: ProxiedCall) => Promise<RpcOutcome>

/** Index of the block parameter of a method: tag, number, hash or {blockHash}. */
const BLOCK_AT: Record<string, number> = {
  eth_getBlockByNumber: 0,
  eth_getBlockByHash: 0,
  eth_getBlockReceipts: 0,
  eth_getBlockTransactionCountByNumber: 0,
  debug_traceBlockByNumber: 0,
  debug_traceBlockByHash: 0,
  trace_block: 0,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_call: 1,
}
const LATEST = ['latest', 'pending', 'safe', 'finalized', undefined]

/**
 * The answer as an EVM node gives it whose head is so many blocks behind: later blocks and
 * transactions are unknown to it, their logs an empty list.
 */
export async function staleAnswer(
  ask: Ask,
  call: ProxiedCall,
  blocks: number,
): Promise<RpcOutcome> {
  const head = await numberOf(ask, { method: 'eth_blockNumber', params: [] })
  const limit = Math.max(0, (head ?? 0) - blocks)
  if (call.method === 'eth_blockNumber') return { result: quantity(limit) }
  if (call.method === 'eth_getLogs') return staleLogs(ask, call, limit)
  if (/^eth_getTransaction(Receipt|ByHash)$/.test(call.method)) return unlessLater(ask, call, limit)
  const at = BLOCK_AT[call.method]
  if (at === undefined) return ask(call)
  const named = call.params[at]
  if (LATEST.includes(tagOf(named))) {
    return ask({ ...call, params: call.params.toSpliced(at, 1, quantity(limit)) })
  }
  return (await heightOf(ask, named)) > limit ? unseen(call) : ask(call)
}

async function staleLogs(ask: Ask, call: ProxiedCall, limit: number): Promise<RpcOutcome> {
  const filter: Record<string, unknown> = { ...Object(call.params[0]) }
  if (filter['blockHash'] !== undefined) {
    return (await heightOf(ask, filter['blockHash'])) > limit ? { result: [] } : ask(call)
  }
  const from = LATEST.includes(tagOf(filter['fromBlock'])) ? limit : Number(filter['fromBlock'])
  const to = LATEST.includes(tagOf(filter['toBlock'])) ? limit : Number(filter['toBlock'])
  if (from > limit) return { result: [] }
  const range = { fromBlock: quantity(from), toBlock: quantity(Math.min(to, limit)) }
  return ask({ ...call, params: [{ ...filter, ...range }] })
}

async function unlessLater(ask: Ask, call: ProxiedCall, limit: number): Promise<RpcOutcome> {
  const outcome = await ask(call)
  const height = 'result' in outcome ? fieldOf(outcome.result, 'blockNumber') : undefined
  return height !== undefined && Number(height) > limit ? { result: null } : outcome
}

/** As geth says it: null for blocks it does not have, an error for state and traces at such. */
function unseen({ method }: ProxiedCall): RpcOutcome {
  if (method.startsWith('eth_getBlock')) return { result: null }
  return { error: { code: -32_000, message: 'header not found' } }
}

/** Infinity for a block that the node does not have. */
async function heightOf(ask: Ask, named: unknown): Promise<number> {
  const text = tagOf(named) ?? ''
  if (text === 'earliest') return 0
  if (text.length !== 66) return Number(text)
  const call = { method: 'eth_getBlockByHash', params: [text, false] }
  return (await numberOf(ask, call)) ?? Number.POSITIVE_INFINITY
}

async function numberOf(ask: Ask, call: ProxiedCall): Promise<number | undefined> {
  const outcome = await ask(call)
  const result = 'result' in outcome ? outcome.result : undefined
  const text = typeof result === 'string' ? result : fieldOf(result, 'number')
  return text === undefined ? undefined : Number(text)
}

/** The tag, number or hash that a parameter names; undefined if it names no block. */
function tagOf(named: unknown): string | undefined {
  if (typeof named === 'string') return named
  return fieldOf(named, 'blockHash') ?? fieldOf(named, 'blockNumber')
}

function fieldOf(holder: unknown, name: string): string | undefined {
  const value: unknown = Object(holder)[name]
  return typeof value === 'string' ? value : undefined
}
