import type { EvmChain } from '../evm-chain.ts'
import type { BlockNode } from './block-tree.ts'
import {
  blockByTag,
  hashAt,
  INVALID_PARAMS,
  type Params,
  RpcFault,
  SERVER_ERROR,
} from './params.ts'
import type { MinedLogJson } from './shapes.ts'

const TOPICS_MAX = 4

interface Filter {
  /** Lower case; empty: any address */
  addresses: Set<string>
  /** For each place the topics allowed there; empty: any */
  topics: string[][]
}

/**
 * eth_getLogs: of one block by its hash, or of a range of the chain, which may reach beyond the
 * head.
 */
export function logsOf(chain: EvmChain, params: Params): MinedLogJson[] {
  const wish: Record<string, unknown> = { ...Object(params[0] ?? {}) }
  const filter = filterIn(wish)
  return blocksIn(chain, wish)
    .flatMap(({ transactions }) => transactions)
    .flatMap(({ receipt }) => receipt.logs)
    .filter((log) => matches(log, filter))
}

function blocksIn(chain: EvmChain, wish: Record<string, unknown>): BlockNode[] {
  const { blockHash, fromBlock, toBlock } = wish
  if (typeof blockHash === 'string') {
    if (fromBlock !== undefined || toBlock !== undefined) {
      const message = 'cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other'
      throw new RpcFault(INVALID_PARAMS, `invalid argument 0: ${message}`)
    }
    const block = chain.tree.find(hashAt([blockHash], 0))
    if (block === undefined) throw new RpcFault(SERVER_ERROR, 'unknown block')
    return [block]
  }
  const head = chain.tree.head.height
  const from = heightOf(chain, fromBlock)
  const to = heightOf(chain, toBlock)
  if (from > to) throw new RpcFault(INVALID_PARAMS, 'invalid block range params')
  const blocks: BlockNode[] = []
  for (let height = from; height <= Math.min(to, head); height += 1) {
    const block = chain.tree.at(height)
    if (block !== undefined) blocks.push(block)
  }
  return blocks
}

function heightOf(chain: EvmChain, named: unknown): number {
  const text = named ?? 'latest'
  const block = blockByTag(chain, [text], 0)
  return block?.height ?? Number(text)
}

function filterIn({ address, topics }: Record<string, unknown>): Filter {
  const places = listIn(topics)
  if (places.length > TOPICS_MAX) throw new RpcFault(INVALID_PARAMS, 'exceed max topics')
  return { addresses: new Set(textsIn(address)), topics: places.map(textsIn) }
}

function matches({ address, topics }: MinedLogJson, filter: Filter): boolean {
  if (filter.addresses.size > 0 && !filter.addresses.has(address)) return false
  if (filter.topics.length > topics.length) return false
  return filter.topics.every((allowed, at) => {
    return allowed.length === 0 || allowed.includes(topics[at] ?? '')
  })
}

/** One text or a list of texts; null matches all. */
function textsIn(value: unknown): string[] {
  return listIn(value).map((text) => String(text).toLowerCase())
}

function listIn(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}
