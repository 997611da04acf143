import type { AdapterMeans } from '../adapter-means.ts'
import { openBatching } from '../batching.ts'
import { openFailover } from '../failover.ts'
import type { Failover } from '../failover.ts'
import { findDissenter, nullUnlessGap } from '../history.ts'
import { openJsonRpc } from '../json-rpc.ts'
import type { JsonRpc } from '../json-rpc.ts'
import type { ChainAdapter } from '../chain-adapter.ts'
import type { ChainOptions } from '../options.ts'
import { readBalance, readTokenFacts } from './balance.ts'
import { toBlock } from './block.ts'
import { fetchBlock } from './fetch-block.ts'
import type { BlockSource } from './fetch-block.ts'
import { lookUp } from './look-up.ts'
import { readHead, readHeader, readStanding } from './node.ts'
import { openSpending } from './spend.ts'
import { openTipReader } from './tip.ts'
import { openTracing } from './tracing.ts'

/** Puts the nodes of an EVM chain behind the port. */
export function openEvmAdapter(options: ChainOptions, means: AdapterMeans): ChainAdapter {
  const { chainId } = options
  const http = means.openHttp({ clock: means.clock, timeoutMs: options.timeoutMs })
  const nodes = options.nodes.map((node) =>
    openJsonRpc(http.node(node), means.clock, means.onRequest),
  )
  const failover = openFailover({
    ...means,
    chainId,
    nodes,
    nameOf: (rpc) => rpc.name,
    standingOf: readStanding,
  })
  const tips = openTipReader(means.clock, options.finalityTag)
  const source = blockSource(options, means, { nodes, failover })
  const batched = oncePerNode(openBatching)
  const hashAt = async (rpc: JsonRpc, height: number) =>
    (await readHeader(rpc, height))?.hash ?? null
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
    lookUp: (txnHash, { tokens }) =>
      failover.find((rpc) => lookUp(source, rpc, { txnHash, tokens })),
    hashAt: (height) =>
      failover.find(
        async (rpc) => (await hashAt(rpc, height)) ?? nullUnlessGap(failover, rpc, height),
      ),
    dissenter: (ref) => findDissenter(failover, ref, { hashAt, headOf: readHead }),
    // What one has let go of another may have kept.
    balanceOf: (address, tokenId, ref) =>
      failover.find((rpc) => readBalance(batched(rpc), address, tokenId, ref)),
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
  { chainId, traces, completeness, logsOwnMoves = false }: ChainOptions,
  { clock, log }: AdapterMeans,
  { nodes, failover }: { nodes: readonly JsonRpc[]; failover: Failover<JsonRpc> },
): BlockSource {
  const others = (rpc: JsonRpc) => failover.others(rpc)
  const tracing = openTracing({ chainId, mode: traces, nodes, others, clock, log })
  return { chainId, completeness, logsOwnMoves, tracing, others, log }
}
