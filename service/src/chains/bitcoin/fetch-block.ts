import type { ChainId, TokenId } from '@sluice/wire'
import type { JsonRpc } from '../json-rpc.ts'
import type { Block, BlockQuery, BlockScope } from '../port.ts'
import { concernsOf, toBlock } from './block.ts'
import { readBlock, readPrevouts } from './node.ts'
import type { BitcoinNode } from './rest.ts'
import type { Prevout } from './rpc.ts'

/** Questions at once for where coins come from. */
const ORIGINS_AT_ONCE = 12

/** A block of a node, all from that node and proved; null where it has none. */
export async function fetchBlock(
  rpc: BitcoinNode,
  native: { chainId: ChainId; tokenId: TokenId },
  query: BlockQuery,
  scope: BlockScope,
): Promise<Block | null> {
  const found = await readBlock(rpc, query)
  if (found === null) return null
  await scope.upToDate?.()
  const { chainId } = native
  const concerns = concernsOf(chainId, found, scope)
  const txids = concerns
    .filter(({ transaction }) => !transaction.isCoinbase)
    .map(({ transaction }) => transaction.txid)
  const origins = await readOrigins(rpc, chainId, { txids, blockHash: found.block.hash })
  const { mayWatch } = scope
  return toBlock(found, { tokenId: native.tokenId, mayWatch }, concerns, origins)
}

async function readOrigins(
  rpc: JsonRpc,
  chainId: ChainId,
  { txids, blockHash }: { txids: readonly string[]; blockHash: string },
): Promise<Map<string, Prevout[] | null>> {
  const origins = new Map<string, Prevout[] | null>()
  for (let at = 0; at < txids.length; at += ORIGINS_AT_ONCE) {
    await Promise.all(
      txids.slice(at, at + ORIGINS_AT_ONCE).map(async (txid) => {
        origins.set(txid, await readPrevouts(rpc, chainId, { txid, blockHash }))
      }),
    )
  }
  return origins
}
