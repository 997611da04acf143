import { Outage } from '../../base/fault.ts'
import type { NodeStanding } from '../failover.ts'
import type { BlockRef } from '../port.ts'
import { brandTronChainId } from './chain-ids.ts'
import { proveHeader } from './header-proof.ts'
import { demand, parseHeader, parseOutcomes, parseOnlyBlock } from './rpc.ts'
import type { RpcBlock, RpcHeader, RpcOutcome } from './rpc.ts'
import { NoSuchMethod } from './tron-node.ts'
import type { Side, TronNode } from './tron-node.ts'

const BLOCK_BYTES_MAX = 32_000_000

/** Nodes that are too old for `getblock`, which alone answers with a header and no more. */
const withoutGetBlock = new WeakSet<TronNode>()

/** Who the node is and how far. */
export async function readStanding(node: TronNode): Promise<NodeStanding> {
  const [genesis, head] = await Promise.all([
    readHeader(node, { height: 0 }),
    readHeader(node, 'newest'),
  ])
  if (genesis === null || head === null) throw new Outage(node.name, 'has no blocks')
  return {
    identity: { chainId: brandTronChainId(genesis.id), genesis: genesis.id },
    head: head.height,
  }
}

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

/** What the transactions at a height did. The node says nothing of the first block's. */
export async function readOutcomes(node: TronNode, height: number): Promise<RpcOutcome[]> {
  if (height === 0) return []
  return parseOutcomes(
    await node.ask({
      method: 'gettransactioninfobyblocknum',
      params: { num: height },
      bytesMax: BLOCK_BYTES_MAX,
    }),
  )
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
