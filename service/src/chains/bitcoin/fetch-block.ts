import type { ChainId, TokenId } from '@sluice/wire'
import type { JsonRpc } from '../json-rpc.ts'
import type { Block, BlockQuery, BlockScope } from '../port.ts'
import { concernsOf, soughtIn, toBlock } from './block.ts'
import type { Concern } from './block.ts'
import { readAllPrevouts, readBlock, readPrevouts } from './node.ts'
import { parseBlock } from './raw-block.ts'
import type { RawBlock } from './raw-block.ts'
import type { RawTransaction } from './raw-transaction.ts'
import type { BitcoinNode } from './rest.ts'
import type { Prevout } from './rpc.ts'
import { scanBlock } from './scan-block.ts'

/** Of the transactions that are asked for at once: the answer is several times as long. */
const BYTES_AT_ONCE = 1_000_000
const COUNT_AT_ONCE = 25
/** Exchanges at once: a node reads the whole block for each transaction that it is asked about. */
const EXCHANGES_AT_ONCE = 4
/** Transactions that show no key, from which on the node is asked for all of the block at once. */
const HIDDEN_MAX = 20
const NOTHING: ReadonlySet<string> = new Set()

/** A block of a node, all from that node and proved; null where it has none. */
export async function fetchBlock(
  rpc: BitcoinNode,
  native: { chainId: ChainId; tokenId: TokenId },
  query: BlockQuery,
  scope: BlockScope,
): Promise<Block | null> {
  const found = await readBlock(rpc, query, async (bytes) => {
    await scope.upToDate?.()
    return readBytes(bytes, scope)
  })
  if (found === null) return null
  const { chainId } = native
  const concerns = concernsOf(chainId, found, scope)
  const origins = await readOrigins(rpc, chainId, { concerns, blockHash: found.block.hash })
  const { mayWatch, seeks = NOTHING } = scope
  const block = toBlock(found, { ...native, mayWatch }, concerns, origins)
  const sought = seeks.size > 0 ? soughtIn(found.block.transactions, seeks) : []
  return { ...block, ...(sought.length > 0 && { sought }) }
}

/** All transactions of a block, where any may be wanted; else those that may be ours alone. */
function readBytes(bytes: Buffer, scope: BlockScope): RawBlock {
  const { mayWatchBytes, hidesKeys = () => true, seeks = NOTHING } = scope
  if (mayWatchBytes === undefined || seeks.size > 0) return parseBlock(bytes)
  return scanBlock(bytes, { mayWatch: mayWatchBytes, hidesKeys: hidesKeys() })
}

async function readOrigins(
  rpc: JsonRpc,
  chainId: ChainId,
  { concerns, blockHash }: { concerns: readonly Concern[]; blockHash: string },
): Promise<Map<string, Prevout[] | null>> {
  const asked = concerns.map(({ transaction }) => transaction).filter((one) => !one.isCoinbase)
  if (concerns.filter(({ isSent }) => isSent === 'hidden').length > HIDDEN_MAX) {
    return readAllPrevouts(rpc, chainId, { txids: asked.map(({ txid }) => txid), blockHash })
  }
  const origins = new Map<string, Prevout[] | null>()
  const groups = groupsOf(asked)
  for (let at = 0; at < groups.length; at += EXCHANGES_AT_ONCE) {
    const some = groups.slice(at, at + EXCHANGES_AT_ONCE).map(async (group) => {
      const txids = group.map(({ txid }) => txid)
      return readPrevouts(rpc, chainId, { txids, blockHash })
    })
    for (const found of await Promise.all(some)) {
      for (const [txid, prevouts] of found) origins.set(txid, prevouts)
    }
  }
  return origins
}

function groupsOf(transactions: readonly RawTransaction[]): RawTransaction[][] {
  const groups: RawTransaction[][] = []
  let bytes = 0
  for (const transaction of transactions) {
    const last = groups.at(-1)
    bytes += transaction.bytes.length
    if (last !== undefined && last.length < COUNT_AT_ONCE && bytes <= BYTES_AT_ONCE) {
      last.push(transaction)
      continue
    }
    groups.push([transaction])
    bytes = transaction.bytes.length
  }
  return groups
}
