import type { BlockNode } from './block-tree.ts'
import type { ChainState } from './chain-state.ts'

/** A JSON-RPC error of a node. */
export class RpcFault extends Error {
  override readonly name = 'RpcFault'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export const INVALID_PARAMS = -32_602
export const SERVER_ERROR = -32_000

export type Params = readonly unknown[]

/** A text parameter. Throws as geth does if it is missing or of another type. */
export function textAt(params: Params, index: number): string {
  const value = params[index]
  if (value === undefined) {
    throw new RpcFault(INVALID_PARAMS, `missing value for required argument ${index}`)
  }
  if (typeof value !== 'string') throw invalid(index, 'json: cannot unmarshal into a string')
  return value
}

/** 32 bytes in hex. */
export function hashAt(params: Params, index: number): string {
  const text = textAt(params, index)
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) throw invalid(index, 'hex string has wrong length')
  return text.toLowerCase()
}

/** An address in lower case. */
export function addressAt(params: Params, index: number): string {
  const text = textAt(params, index)
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw invalid(index, 'hex string has wrong length')
  return text.toLowerCase()
}

/**
 * The block that a number or tag names; undefined above the head. Throws for `safe` and
 * `finalized` if the node knows none.
 */
export function blockByTag(
  chain: ChainState,
  params: Params,
  index: number,
): BlockNode | undefined {
  const text = textAt(params, index)
  if (text === 'latest' || text === 'pending') return chain.tree.head
  if (text === 'earliest') return chain.tree.at(0)
  if (text === 'safe' || text === 'finalized') {
    const height = chain.taggedHeight(text)
    if (height === null) throw new RpcFault(SERVER_ERROR, `${text} block not found`)
    return chain.tree.at(height)
  }
  return chain.tree.at(heightIn(text, index))
}

/** The same, or by hash, also as `{blockNumber}` or `{blockHash}` (EIP-1898). */
export function blockByAny(
  chain: ChainState,
  params: Params,
  index: number,
): BlockNode | undefined {
  const named: unknown = params[index] ?? 'latest'
  const { blockHash, blockNumber } = Object(named)
  if (typeof blockHash === 'string') return chain.tree.find(hashAt([blockHash], 0))
  if (typeof blockNumber === 'string') return blockByTag(chain, [blockNumber], 0)
  if (typeof named === 'string' && named.length === 66) return chain.tree.find(hashAt([named], 0))
  return blockByTag(chain, [named], 0)
}

/** The same; throws as geth does if the block is unknown, since its state is needed. */
export function stateBlock(chain: ChainState, params: Params, index: number): BlockNode {
  const block = blockByAny(chain, params, index)
  if (block !== undefined) return block
  const isHash = Object(params[index]).blockHash !== undefined
  throw new RpcFault(SERVER_ERROR, isHash ? 'header for hash not found' : 'header not found')
}

function heightIn(text: string, index: number): number {
  if (!/^0x[0-9a-fA-F]+$/.test(text)) throw invalid(index, 'hex string without 0x prefix')
  if (/^0x0./.test(text)) throw invalid(index, 'hex number with leading zero digits')
  return Number(text)
}

function invalid(index: number, reason: string): RpcFault {
  return new RpcFault(INVALID_PARAMS, `invalid argument ${index}: ${reason}`)
}
