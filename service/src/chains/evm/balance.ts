import type { TokenId } from '@sluice/wire'
import { Outage } from '../../base/fault.ts'
import { RpcRefusal } from '../json-rpc.ts'
import type { JsonRpc } from '../json-rpc.ts'
import type { Address, BlockRef, TokenFacts } from '../port.ts'
import { DECIMALS_CALL, decodeText, decodeUint, encodeBalanceOf, SYMBOL_CALL } from './abi.ts'
import { contractOf } from './block.ts'
import {
  hasBlock,
  isMissingMethod,
  readContract,
  readHeader,
  readNativeBalance,
  toQuantity,
} from './node.ts'
import type { StateAt } from './node.ts'

const DECIMALS_MAX = 255n
/** Refusals of a node that has let go of a state; each client says it in its own words. */
const STATE_GONE = [
  /missing trie node/i,
  /historical state/i,
  /\bprun(ed|ing)\b/i,
  /state.*(not available|unavailable|missing)/i,
  /no state available/i,
  /distance to target block/i,
]
/** Blocks that are not there: pruned, or not known at all. */
const NO_BLOCK = /not found|unknown block|header|BlockOutOfRange/i
/** The contract's own failure, which is its answer and no fault of the node. */
const CALL_FAILED = [
  /revert/i,
  /out of gas/i,
  /invalid opcode|bad instruction/i,
  /invalid jump/i,
  /stack (under|over)flow/i,
  /VM execution/i,
]
const CALL_FAILED_CODES = new Set([3, -32015])
const INVALID_PARAMS_CODE = -32602

/**
 * Base units that an address holds at the end of a block. Null where the node no longer has that
 * state, or where the contract does not answer as a token does.
 */
export async function readBalance(
  rpc: JsonRpc,
  holder: Address,
  tokenId: TokenId,
  ref: BlockRef,
): Promise<bigint | null> {
  const read = (at: StateAt) => readBalanceAt(rpc, holder, tokenId, at)
  try {
    return await read({ blockHash: ref.hash })
  } catch (error) {
    if (!(error instanceof RpcRefusal) || isMissingMethod(error)) throw error
    if (saysOneOf(STATE_GONE, error)) return null
    if (NO_BLOCK.test(error.said)) return nullIfKnown(rpc, ref)
    if (error.code === INVALID_PARAMS_CODE) return readByHeight(rpc, ref, read)
    throw error
  }
}

/**
 * Decimals and symbol of a contract at the head; null for what does not answer both as a token
 * does.
 */
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

/** As `readBalance`, by the state of a height or name; null where the contract does not answer. */
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

/** Null where the contract fails: no balance is worse than a made-up one. */
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

/** Whether a node says that the call itself failed: the contract's answer, no fault of the node. */
export function hasCallFailed(error: unknown): boolean {
  if (!(error instanceof RpcRefusal)) return false
  return CALL_FAILED_CODES.has(error.code) || saysOneOf(CALL_FAILED, error)
}

function saysOneOf(patterns: readonly RegExp[], { said }: RpcRefusal): boolean {
  return patterns.some((pattern) => pattern.test(said))
}

/** A block the node has, without its state, is pruned; a block it lacks it may yet learn of. */
async function nullIfKnown(rpc: JsonRpc, ref: BlockRef): Promise<null> {
  if (await hasBlock(rpc, ref.hash)) return null
  throw new Outage(rpc.name, `has no block ${ref.hash} to read a balance at`)
}

/** For nodes without EIP-1898: the height is ours only while its hash is. */
async function readByHeight<T>(
  rpc: JsonRpc,
  ref: BlockRef,
  read: (at: StateAt) => Promise<T>,
): Promise<T> {
  const result = await read(toQuantity(ref.height))
  const header = await readHeader(rpc, ref.height)
  if (header?.hash === ref.hash) return result
  throw new Outage(rpc.name, `has another block at ${ref.height} than ${ref.hash}`)
}
