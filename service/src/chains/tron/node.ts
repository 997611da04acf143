import { Outage, nullIfAway } from '../../base/fault.ts'
import { Unfinished } from '../http.ts'
import type { BlockRef } from '../port.ts'
import { proveHeader } from './header-proof.ts'
import { demand, parseHeader, parseOnlyBlock, parseOutcome, parseOutcomes } from './rpc.ts'
import type { RpcBlock, RpcHeader, RpcOutcome } from './rpc.ts'
import { NoSuchMethod } from './tron-node.ts'
import type { Side, TronNode } from './tron-node.ts'

/**
 * A block has 2 MB of transactions at most, of which nodes tell some eight times as much. What they
 * did is bounded by their energy alone: to return 64 kB, told as 128 kB of hex, takes 14,000, and
 * an inner call of 260 bytes takes 65. So anybody can fill an answer for some hundred dollars.
 */
const BLOCK_BYTES_MAX = 32_000_000

/** Nodes that are too old for `getblock`, which alone answers with a header and no more. */
const withoutGetBlock = new WeakSet<TronNode>()

/** The header of the newest block on a side of the node, or at a height; null for none. */
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

/** A block with its transactions; null where the node has none there. */
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
 * What the transactions of a block did, one by one where all of it is too much to be told at once:
 * what a single one does fits, as it has 80 ms to run. The node says nothing of the first block's.
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
    // A node that does not tell its head either would keep us waiting for each of them.
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
