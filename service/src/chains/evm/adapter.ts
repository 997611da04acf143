import type { Clock } from '../../base/clock.ts'
import type { Dice } from '../../base/dice.ts'
import { Outage } from '../../base/fault.ts'
import type { Log } from '../../base/log.ts'
import { openBatching } from '../batching.ts'
import { openFailover } from '../failover.ts'
import type { Failover } from '../failover.ts'
import { openHttp } from '../http.ts'
import { openJsonRpc } from '../json-rpc.ts'
import type { JsonRpc, RequestReport } from '../json-rpc.ts'
import type { BlockRef, ChainAdapter, ChainOptions } from '../port.ts'
import { readBalance, readTokenFacts } from './balance.ts'
import { toBlock } from './block.ts'
import { fetchBlock } from './fetch-block.ts'
import type { BlockSource } from './fetch-block.ts'
import { readHeader, readStanding } from './node.ts'
import { openSpending } from './spend.ts'
import { openTipReader } from './tip.ts'
import { openTracing } from './tracing.ts'

/** What an adapter needs from outside. */
export interface AdapterMeans {
  clock: Clock
  dice: Dice
  log: Log
  onRequest: (report: RequestReport) => void
}

/** A node may be this far behind what it has said before it counts as one without history. */
const HISTORY_GAP_BLOCKS = 64

/** Puts the nodes of an EVM chain behind the port. */
export function openEvmAdapter(options: ChainOptions, means: AdapterMeans): ChainAdapter {
  const { chainId } = options
  const http = openHttp({ clock: means.clock, timeoutMs: options.timeoutMs })
  const failover = openFailover({
    ...means,
    chainId,
    nodes: options.nodes.map((node) => openJsonRpc(http.node(node), means.clock, means.onRequest)),
    nameOf: (rpc) => rpc.name,
    standingOf: readStanding,
  })
  const tips = openTipReader(means.clock, options.finalityTag)
  const source = blockSource(options, means, failover)
  const batched = oncePerNode(openBatching)
  return {
    chainId,
    identify: () => failover.identify(),
    tip: () =>
      failover.use(async (rpc) => {
        const tip = await tips.read(rpc)
        failover.saw(rpc, tip.head.height)
        return tip
      }),
    blockAt: (query, scope) =>
      failover.find(async (rpc) => {
        const fetched = await fetchBlock(source, rpc, query, scope)
        if (fetched !== null) return toBlock(chainId, fetched, scope)
        return 'height' in query ? nullUnlessGap(failover, rpc, query.height) : null
      }),
    hashAt: (height) =>
      failover.find(async (rpc) => {
        const header = await readHeader(rpc, height)
        return header?.hash ?? nullUnlessGap(failover, rpc, height)
      }),
    dissenter: (ref) => failover.use((rpc) => findDissenter(failover.others(rpc), ref)),
    balanceOf: (address, tokenId, ref) =>
      failover.use((rpc) => readBalance(batched(rpc), address, tokenId, ref)),
    inspectToken: (tokenId) => failover.use((rpc) => readTokenFacts(rpc, tokenId)),
    ...openSpending(chainId, failover),
    close: () => http.close(),
  }
}

/** What is opened for a node, the same each time. */
function oncePerNode<T>(open: (rpc: JsonRpc) => T): (rpc: JsonRpc) => T {
  const opened = new WeakMap<JsonRpc, T>()
  return (rpc) => {
    const one = opened.get(rpc) ?? open(rpc)
    opened.set(rpc, one)
    return one
  }
}

function blockSource(
  { chainId, traces, completeness }: ChainOptions,
  { log }: AdapterMeans,
  failover: Failover<JsonRpc>,
): BlockSource {
  const others = (rpc: JsonRpc) => failover.others(rpc)
  const tracing = openTracing({ chainId, mode: traces, others, log })
  return { chainId, completeness, tracing, others, log }
}

async function findDissenter(others: readonly JsonRpc[], ref: BlockRef): Promise<string | null> {
  const hashes = others.map(async (other) => {
    const header = await readHeader(other, ref.height).catch(nullIfAway)
    return { name: other.name, hash: header?.hash ?? ref.hash }
  })
  const found = (await Promise.all(hashes)).find(({ hash }) => hash !== ref.hash)
  return found?.name ?? null
}

function nullIfAway(error: unknown): null {
  if (error instanceof Outage) return null
  throw error
}

/**
 * A node that has later blocks but not this one has lost its history: waiting for it would be
 * waiting for ever.
 */
function nullUnlessGap(failover: Failover<JsonRpc>, rpc: JsonRpc, height: number): null {
  const head = failover.seen(rpc)
  if (head === null || height + HISTORY_GAP_BLOCKS > head) return null
  throw new Outage(
    rpc.name,
    `history missing: it has no block ${height}, though its head is ${head}`,
  )
}
