import type { ChainId } from '@sluice/wire'
import { Outage } from '../../base/fault.ts'
import type { NodeStanding } from '../failover.ts'
import { isDeclined, RpcRefusal } from '../json-rpc.ts'
import type { JsonRpc, RpcAnswer } from '../json-rpc.ts'
import type { ChainPin } from '../options.ts'
import type { BlockQuery, BlockRef } from '../port.ts'
import { demand, parseBlock, parseBytes, parseHeader, parseQuantity } from './rpc.ts'
import type { RpcBlock, RpcHeader } from './rpc.ts'
import { scanBlock } from './scan-answer.ts'
import type { ScannedBlock } from './scan-answer.ts'

/** A header by height or by tag. */
type HeaderTag = number | 'latest' | 'finalized'

/** The state to read: at one of our blocks, by its hash (EIP-1898), or at a height or tag. */
export type StateAt = { blockHash: string } | string

/**
 * Nodes exchange a block with its transactions in one message of at most 10 MB, so its JSON fits.
 * Receipts and traces have no such bound and are read in parts if they do not fit.
 */
export const BLOCK_BYTES_MAX = 32_000_000
/**
 * The gas of a contract call; tokens need a thirtieth of it. The code may be hostile: with all gas
 * that a node grants it could return megabytes, or keep the node busy and delay other balances.
 */
const ANSWER_GAS = 1_000_000
/** This gas fills 0.7 MB, two digits a byte; nodes repeat the data of a failure twice. */
const ANSWER_BYTES_MAX = 4_000_000
const METHOD_NOT_FOUND_CODE = -32601
/** Depth below the head that no reorg reaches. */
const PIN_DEPTH = 1_000

/** Nodes answer null for a block they do not have; some answer with an equivalent error. */
const UNKNOWN_BLOCK = /not found|unknown block|resource not found/i
/** Refusals about an unavailable block: pruned, or unknown. */
const NO_BLOCK = /not found|unknown block|header|BlockOutOfRange/i
const UNAVAILABLE =
  /not found|does not exist|unsupported|disabled|(not|n't) (available|supported|enabled|allowed)/i

/** Phrases about methods, even without the word. */
const UNSUPPORTED =
  /^(unsupported|not (supported|implemented|enabled|allowed)|forbidden|disabled)\b/i

/** Reads a node's identity and head: three small calls, more if it has pruned its first block. */
export async function readStanding(rpc: JsonRpc, pin: ChainPin | null): Promise<NodeStanding> {
  const height = pin === null ? 0 : pinnedHeight(pin.genesis)
  const [chainId, pinned, latest] = await Promise.all([
    rpc.call({ method: 'eth_chainId', params: [] }),
    readPinned(rpc, height),
    readHeader(rpc, 'latest'),
  ])
  if (latest === null) throw new Outage(rpc.name, 'has no blocks')
  const genesis = pinned ?? (await readLaterPin(rpc, pin, latest.height))
  return { identity: { chainId: parseEvmChainId(chainId), genesis }, head: latest.height }
}

/** The pin of a block of the node; null if the node does not have the block, or has pruned it. */
async function readPinned(rpc: JsonRpc, height: number): Promise<string | null> {
  try {
    const header = await readHeader(rpc, height)
    if (header === null) return null
    return height === 0 ? header.hash : `${height}:${header.hash}`
  } catch (error) {
    // The words differ by client (geth: code 4444).
    if (isDeclined(error)) return null
    throw error
  }
}

function pinnedHeight(genesis: string): number {
  const [, height = '0'] = /^(\d+):/.exec(genesis) ?? []
  return Number(height)
}

/**
 * Identifies a node without the pinned block: at first contact by a recent block, later by a stored
 * block. A node that has neither is known by its chain id alone; the scanner compares all of its
 * blocks with ours.
 */
async function readLaterPin(rpc: JsonRpc, pin: ChainPin | null, head: number): Promise<string> {
  if (pin === null) {
    const recent = await readPinned(rpc, Math.max(1, head - PIN_DEPTH))
    if (recent === null) throw new Outage(rpc.name, 'has neither its first block nor a recent one')
    return recent
  }
  const { genesis, kept } = pin
  const found = kept === null ? null : await readPinned(rpc, kept.height)
  const isOurs = found === null || found.endsWith(kept?.hash ?? '')
  return isOurs ? genesis : found
}

/** Null if the node has no such block. */
export async function readHeader(rpc: JsonRpc, tag: HeaderTag): Promise<RpcHeader | null> {
  const at = typeof tag === 'number' ? toQuantity(tag) : tag
  const answer = await orNull(rpc.call({ method: 'eth_getBlockByNumber', params: [at, false] }))
  if (answer === null) return null
  const header = parseHeader(answer)
  demand(typeof tag !== 'number' || header.height === tag, 'a block of another height')
  return header
}

/** The highest block of the node's chain. */
export async function readHead(rpc: JsonRpc): Promise<BlockRef> {
  const head = await readHeader(rpc, 'latest')
  if (head === null) throw new Outage(rpc.name, 'has no head')
  return { height: head.height, hash: head.hash }
}

/** Whether the node has a block of this hash, on its chain or on a branch. */
export async function hasBlock(rpc: JsonRpc, hash: string): Promise<boolean> {
  const call = { method: 'eth_getBlockByHash', params: [hash, false] }
  return (await orNull(rpc.call(call))) !== null
}

/** Whether a refusal may mean that the node lacks the block; the words differ by client. */
export function saysNoBlock({ said }: RpcRefusal): boolean {
  return NO_BLOCK.test(said)
}

/** A node's answer for a block, read as far as needed. */
export interface BlockAnswer {
  header: RpcHeader
  /** The number of transactions. */
  count: number
  /** Positions in the answer's bytes; null if a parser must read it. */
  scan: ScannedBlock | null
  /** The whole block. */
  parse(): RpcBlock
}

/** A block with its transactions; null if the node has none at this place. */
export async function readBlock(
  rpc: JsonRpc,
  query: BlockQuery,
  how: 'scan' | 'parse',
): Promise<BlockAnswer | null> {
  const call =
    'hash' in query
      ? { method: 'eth_getBlockByHash', params: [query.hash, true] }
      : { method: 'eth_getBlockByNumber', params: [toQuantity(query.height), true] }
  const answer = await orNull(rpc.read(call, BLOCK_BYTES_MAX, (raw) => blockOf(raw, how)))
  if (answer === null) return null
  const { hash, height } = answer.header
  demand('hash' in query ? hash === query.hash : height === query.height, 'not the block asked for')
  return answer
}

function blockOf({ id, body, result }: RpcAnswer, how: 'scan' | 'parse'): BlockAnswer | null {
  const scan = how === 'parse' || body === null ? null : scanBlock(body, id)
  if (scan !== null) {
    const { header, transactions } = scan
    return { header, count: transactions.count, scan, parse: () => parseBlock(result()) }
  }
  const found = result()
  if (found === null) return null
  const block = parseBlock(found)
  return { header: block, count: block.transactions.length, scan, parse: () => block }
}

/**
 * Whether the node knows a method, called with harmless parameters. Any refusal but "unknown
 * method" shows that it does. A node that declines by HTTP status and still returns its head does
 * not serve the method.
 */
export async function knowsMethod(
  rpc: JsonRpc,
  method: string,
  params: readonly unknown[],
): Promise<boolean> {
  try {
    await rpc.call({ method, params })
    return true
  } catch (error) {
    if (!isDeclined(error)) throw error
    if (error instanceof RpcRefusal) return !isMissingMethod(error)
    await readHead(rpc)
    return false
  }
}

/** Native base units of an address at a block. */
export async function readNativeBalance(
  rpc: JsonRpc,
  holder: string,
  at: StateAt,
): Promise<bigint> {
  const answer = await rpc.call({ method: 'eth_getBalance', params: [holder, at] })
  return parseQuantity(answer, 'balance')
}

/** The bytes that a contract returns, as 0x and digits. */
export async function readContract(
  rpc: JsonRpc,
  { to, data }: { to: string; data: string },
  at: StateAt,
): Promise<string> {
  const asked = { to, data, gas: toQuantity(ANSWER_GAS) }
  const call = { method: 'eth_call', params: [asked, at] }
  return parseBytes(await rpc.call(call, ANSWER_BYTES_MAX), 'the answer of a contract')
}

/** A number as a quantity. */
export function toQuantity(value: number): string {
  return `0x${value.toString(16)}`
}

/** Whether a node refused because it does not offer the method. */
export function isMissingMethod(error: unknown): boolean {
  if (!(error instanceof RpcRefusal)) return false
  if (error.code === METHOD_NOT_FOUND_CODE) return true
  if (UNSUPPORTED.test(error.said) && !NO_BLOCK.test(error.said)) return true
  const isAboutMethod = /\bmethod\b/i.test(error.said) || error.said.includes(error.method)
  return isAboutMethod && UNAVAILABLE.test(error.said)
}

function parseEvmChainId(answer: unknown): ChainId {
  return `eip155:${parseQuantity(answer, 'chain id')}` as ChainId
}

async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof RpcRefusal && UNKNOWN_BLOCK.test(error.said)) return null
    throw error
  }
}
