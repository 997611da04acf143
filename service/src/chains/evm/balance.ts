import type { TokenId } from '@sluice/wire'
import { Outage } from '../../base/fault.ts'
import { RpcRefusal } from '../json-rpc.ts'
import type { JsonRpc } from '../json-rpc.ts'
import type { Address, BlockRef, TokenFacts } from '../port.ts'
import {
  DECIMALS_CALL,
  decodeText,
  decodeUint,
  encodeBalanceOf,
  SUPPLY_CALL,
  SYMBOL_CALL,
} from './abi.ts'
import { contractOf } from './block.ts'
import {
  hasBlock,
  isMissingMethod,
  readContract,
  readHeader,
  readNativeBalance,
  saysNoBlock,
  toQuantity,
} from './node.ts'
import type { StateAt } from './node.ts'

const DECIMALS_MAX = 255n
/** Refusals of a node that has pruned a state, in the words of each client. */
const STATE_GONE = [
  /missing trie node/i,
  /historical state/i,
  /\bprun(ed|ing)\b/i,
  /state.*(not available|unavailable|missing)/i,
  /no state available/i,
  /distance to target block/i,
  // Providers say this about data outside a plan.
  /\barchiv/i,
  /too old/i,
]
/** How clients report that a call used all of its gas. */
export const OUT_OF_GAS = /out ?of ?gas|OOG\b|gas (required|spent) exceed/i
/**
 * Errors of the contract itself, which are its answer and not a fault of the node, in the words of
 * the clients: geth and its forks, Nethermind, Besu, reth and anvil (revm), OpenEthereum. A timeout
 * is not in the list: a node under load reports it too.
 */
const CALL_FAILED = [
  /revert/i,
  OUT_OF_GAS,
  /gas uint64 overflow/i,
  /invalid ?(fe ?)?opcode|opcode ?not ?found|bad ?instruction/i,
  /(invalid|bad) ?jump/i,
  /stack ?(under|over)flow|stack limit reached|(too many|insufficient) stack items/i,
  /return data out of bounds|out ?of ?offset|access ?violation/i,
  /write protection|illegal state change|static ?call|inside ?static/i,
  /precompile ?(error|failure)/i,
  /VM execution/i,
]
const CALL_FAILED_CODES = new Set([3, -32015])
/** Blocks whose states a full node keeps, less a margin: it may be about to prune the oldest. */
const KEPT_STATES = 120

/** Instead of a balance: the node no longer serves that state. */
export const GONE = Symbol('gone')

/** Instead of a balance: the node's refusal may mean a pruned state, or may pass. */
export interface Unclear {
  refusal: RpcRefusal
}

/** The answer of a node for an old state. */
export type Told = bigint | null | typeof GONE | Unclear

/** Refusals of old states whose words do not say that the states are pruned. */
export interface Refusals {
  /** Notes a refusal. Returns whether refusals have lasted long enough to count as pruned. */
  haveLasted(height: number): boolean
  /** Notes that the node answered for a block at this height. */
  told(height: number): void
}

/** Reads one balance at a given state. */
type ReadAt = (at: StateAt) => Promise<bigint | null>

/** A balance to read at a block, with the record of the node's refusals. */
interface Asked {
  ref: BlockRef
  read: ReadAt
  refusals: Refusals
}

/**
 * Base units that an address holds at the end of a block, or at the head. Null if the contract does
 * not answer like a token.
 */
export async function readBalance(
  rpc: JsonRpc,
  of: { holder: Address; tokenId: TokenId; ref: BlockRef | 'head' },
  refusals: Refusals,
): Promise<Told> {
  const { holder, tokenId, ref } = of
  if (ref === 'head') return readBalanceAt(rpc, holder, tokenId, 'latest')
  const read: ReadAt = (at) => readBalanceAt(rpc, holder, tokenId, at)
  const asked = { ref, read, refusals }
  try {
    return await readAndNote(rpc, asked)
  } catch (error) {
    if (await saysGone(rpc, ref, error)) return GONE
    if (!mayMeanGone(error)) throw error
    return askAgain(rpc, asked, error)
  }
}

/** Decimals and symbol of a contract at the head; null if it does not answer both like a token. */
export async function readTokenFacts(rpc: JsonRpc, tokenId: TokenId): Promise<TokenFacts | null> {
  const contract = contractOf(tokenId)
  if (contract === null) return null
  const [decimalsAnswer, symbolAnswer] = await Promise.all([
    callOrNull(rpc, contract, DECIMALS_CALL, 'latest'),
    callOrNull(rpc, contract, SYMBOL_CALL, 'latest'),
  ])
  const decimals = decimalsAnswer === null ? null : decodeUint(decimalsAnswer)
  const symbol = symbolAnswer === null ? null : decodeText(symbolAnswer)
  if (decimals === null || decimals > DECIMALS_MAX || symbol === null) return null
  return { decimals: Number(decimals), symbol }
}

/** Base units of a contract token that exist at the head; null if the contract does not answer. */
export async function readSupply(rpc: JsonRpc, tokenId: TokenId): Promise<bigint | null> {
  const contract = contractOf(tokenId)
  if (contract === null) return null
  const answer = await callOrNull(rpc, contract, SUPPLY_CALL, 'latest')
  return answer === null ? null : decodeUint(answer)
}

/** Like `readBalance`, at the state of a height or tag; null if the contract does not answer. */
export async function readBalanceAt(
  rpc: JsonRpc,
  holder: Address,
  tokenId: TokenId,
  at: StateAt,
): Promise<bigint | null> {
  const contract = contractOf(tokenId)
  if (contract === null) return readNativeBalance(rpc, holder, at)
  const answer = await callOrNull(rpc, contract, encodeBalanceOf(holder), at)
  return answer === null ? null : decodeUint(answer)
}

/** Null if the contract fails: no balance is better than a made-up one. */
async function callOrNull(
  rpc: JsonRpc,
  to: Address,
  data: string,
  at: StateAt,
): Promise<string | null> {
  try {
    return await readContract(rpc, { to, data }, at)
  } catch (error) {
    if (hasCallFailed(error)) return null
    throw error
  }
}

/** Whether a node reports that the call itself failed, which is the contract's answer. */
export function hasCallFailed(error: unknown): boolean {
  if (!(error instanceof RpcRefusal)) return false
  return CALL_FAILED_CODES.has(error.code) || saysOneOf(CALL_FAILED, error)
}

/** Whether a refusal says that the node has pruned a state. */
export function lacksState(refusal: RpcRefusal): boolean {
  return saysOneOf(STATE_GONE, refusal)
}

function saysOneOf(patterns: readonly RegExp[], { said }: RpcRefusal): boolean {
  return patterns.some((pattern) => pattern.test(said))
}

/** Reads by height if the node does not accept a block hash. */
async function readByHash(rpc: JsonRpc, ref: BlockRef, read: ReadAt): Promise<bigint | null> {
  try {
    return await read({ blockHash: ref.hash })
  } catch (error) {
    if (!mayMeanParameter(error)) throw error
    return readByHeight(rpc, ref, read)
  }
}

/** Whether a node may have refused the block's hash as a parameter; the words differ by client. */
function mayMeanParameter(error: unknown): boolean {
  if (!isAnswer(error) || hasCallFailed(error) || isMissingMethod(error)) return false
  return !saysNoBlock(error) && !lacksState(error)
}

/** An answer or a refusal for a height counts only while our block is at that height. */
async function readByHeight(rpc: JsonRpc, ref: BlockRef, read: ReadAt): Promise<bigint | null> {
  try {
    return await read(toQuantity(ref.height))
  } finally {
    await demandOurs(rpc, ref)
  }
}

async function demandOurs(rpc: JsonRpc, { height, hash }: BlockRef): Promise<void> {
  const header = await readHeader(rpc, height)
  if (header?.hash !== hash)
    throw new Outage(rpc.name, `has another block at ${height} than ${hash}`)
}

/**
 * Handles a refusal whose meaning is unknown. It may mean a pruned state if the block is old and
 * the node answers the same query at its head. Most such refusals pass, so the query is repeated;
 * one that lasts is believed.
 */
async function askAgain(rpc: JsonRpc, asked: Asked, refusal: unknown): Promise<Told> {
  const { ref, read, refusals } = asked
  const head = await readHeader(rpc, 'latest')
  if (head === null || head.height - ref.height < KEPT_STATES) throw refusal
  await read('latest')
  try {
    return await readAndNote(rpc, asked)
  } catch (error) {
    if (await saysGone(rpc, ref, error)) return GONE
    if (!mayMeanGone(error)) throw error
    return refusals.haveLasted(ref.height) ? GONE : { refusal: error }
  }
}

async function readAndNote(rpc: JsonRpc, { ref, read, refusals }: Asked): Promise<bigint | null> {
  const balance = await readByHash(rpc, ref, read)
  refusals.told(ref.height)
  return balance
}

/** Whether a node refused the state: its words report it, or it has the block but refuses. */
async function saysGone(rpc: JsonRpc, ref: BlockRef, error: unknown): Promise<boolean> {
  if (!isAnswer(error)) return false
  if (lacksState(error)) return true
  // A node may still learn of a block that it lacks.
  return !isMissingMethod(error) && saysNoBlock(error) && demandKnown(rpc, ref)
}

/** Whether the words of a refusal may refer to anything. */
function mayMeanGone(error: unknown): error is RpcRefusal {
  return isAnswer(error) && !isMissingMethod(error) && !saysNoBlock(error)
}

/** A rate limit says nothing about the state. */
function isAnswer(error: unknown): error is RpcRefusal {
  return error instanceof RpcRefusal && error.retryAfterMs === null
}

async function demandKnown(rpc: JsonRpc, { hash }: BlockRef): Promise<true> {
  if (await hasBlock(rpc, hash)) return true
  throw new Outage(rpc.name, `has no block ${hash} to read a balance at`)
}
