import type { ChainId, TokenId } from '@sluice/wire'
import type { Log } from '../../base/log.ts'
import type { Block, BlockQuery, BlockScope } from '../port.ts'
import { concernsOf, soughtIn, toBlock } from './block.ts'
import { readBlock } from './node.ts'
import { parseBlock } from './raw-block.ts'
import type { RawBlock } from './raw-block.ts'
import { readOrigins } from './read-origins.ts'
import type { BitcoinNode } from './rest.ts'
import { scanBlock } from './scan-block.ts'

const NOTHING: ReadonlySet<string> = new Set()

/** A proved block of a node; null if the node has none. */
export async function fetchBlock(
  rpc: BitcoinNode,
  native: { chainId: ChainId; tokenId: TokenId; log: Log },
  query: BlockQuery,
  scope: BlockScope,
): Promise<Block | null> {
  const found = await readBlock(rpc, query, async (bytes) => {
    await scope.upToDate?.()
    return readBytes(bytes, scope)
  })
  if (found === null) return null
  const concerns = concernsOf(native.chainId, found, scope)
  const origins = await readOrigins(rpc, native, found, concerns)
  const { mayWatch, seeks = NOTHING } = scope
  const block = toBlock(found, { ...native, mayWatch }, concerns, origins)
  const sought = seeks.size > 0 ? soughtIn(found.block.transactions, seeks) : []
  return { ...block, ...(sought.length > 0 && { sought }) }
}

/** All transactions of a block if any may matter, else only those that may be ours. */
function readBytes(bytes: Buffer, scope: BlockScope): RawBlock {
  const { mayWatchBytes, hidesKeys = () => true, seeks = NOTHING } = scope
  if (mayWatchBytes === undefined || seeks.size > 0) return parseBlock(bytes)
  return scanBlock(bytes, { mayWatch: mayWatchBytes, hidesKeys: hidesKeys() })
}
