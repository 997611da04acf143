import { Outage, nullIfAway } from '../../base/fault.ts'
import { Unfinished } from '../http.ts'
import type { BlockRef } from '../port.ts'
import { proveHeader } from './header-proof.ts'
import { demand, parseHeader, parseOnlyBlock, parseOutcome, parseOutcomes } from './rpc.ts'
import type { RpcBlock, RpcHeader, RpcOutcome } from './rpc.ts'
import { NoSuchMethod } from './tron-node.ts'
import type { Side, TronNode } from './tron-node.ts'

/**
 * A block has at most 2 MB of transactions; the JSON takes about eight times as much. The infos are
 * bounded by energy only: returning 64 kB, which is 128 kB of hex, takes 14,000, and an inner call
 * of 260 bytes takes 65. Filling an answer costs a stranger some hundred dollars.
 */
const BLOCK_BYTES_MAX = 32_000_000

/** Nodes that are too old for `getblock`, the only call that returns a header alone. */
const withoutGetBlock = new WeakSet<TronNode>()

/** The header of the newest block on a side of the node, or at a height; null without one. */
export async function readHeader(
  node: TronNode,
  which: 'newest' | { height: number },
  side: Side = 'wallet',
): Promise<RpcHeader | null> {
  const header = parseHeader(await askHeader(node, which, side))
  if (header === null) return null
  demand(which === 'newest' || header.height === which.height, 'a block of another height')
  proveHeader(header)
  return header
}

/** The highest block of the node's chain. */
export async function readHead(node: TronNode): Promise<BlockRef> {
  const head = await readHeader(node, 'newest')
  if (head === null) throw new Outage(node.name, 'has no head')
  return { height: head.height, hash: head.id }
}

/** A block with its transactions; null if the node has none there. */
export async function readBlock(node: TronNode, height: number): Promise<RpcBlock | null> {
  const block = parseOnlyBlock(
    await node.ask({
      method: 'getblockbylimitnext',
      params: { startNum: height, endNum: height + 1 },
      bytesMax: BLOCK_BYTES_MAX,
    }),
  )
  if (block === null) return null
  demand(block.height === height, 'a block of another height')
  proveHeader(block)
  return block
}

/**
 * The infos of the transactions of a block, one by one if they are too much for one answer: a
 * single one fits, as a transaction has 80 ms to run. Nodes return none for the first block.
 */
export async function readOutcomes(
  node: TronNode,
  { height, transactions }: Pick<RpcBlock, 'height' | 'transactions'>,
): Promise<RpcOutcome[]> {
  if (height === 0) return []
  try {
    const method = 'gettransactioninfobyblocknum'
    const params = { num: height }
    return parseOutcomes(await node.ask({ method, params, bytesMax: BLOCK_BYTES_MAX }))
  } catch (error) {
    if (!(error instanceof Unfinished)) throw error
    // A node that does not return its head either would keep us waiting for each of them.
    if ((await readHead(node).catch(nullIfAway)) === null) throw error
  }
  const outcomes: RpcOutcome[] = []
  for (const { id } of transactions) {
    const question = { method: 'gettransactioninfobyid', params: { value: id } }
    outcomes.push(parseOutcome(await node.ask({ ...question, bytesMax: BLOCK_BYTES_MAX })))
  }
  return outcomes
}

async function askHeader(
  node: TronNode,
  which: 'newest' | { height: number },
  side: Side,
): Promise<unknown> {
  if (!withoutGetBlock.has(node)) {
    const params = which === 'newest' ? {} : { id_or_num: String(which.height) }
    try {
      return await node.ask({ side, method: 'getblock', params: { ...params, detail: false } })
    } catch (error) {
      if (!(error instanceof NoSuchMethod)) throw error
      withoutGetBlock.add(node)
    }
  }
  const bytesMax = BLOCK_BYTES_MAX
  if (which === 'newest') return node.ask({ side, method: 'getnowblock', bytesMax })
  return node.ask({ side, method: 'getblockbynum', params: { num: which.height }, bytesMax })
}
