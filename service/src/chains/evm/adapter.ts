import type { AdapterDeps } from '../adapter-deps.ts'
import { openFailover } from '../failover.ts'
import type { Failover } from '../failover.ts'
import { findDissent, nullUnlessGap } from '../history.ts'
import { openJsonRpc } from '../json-rpc.ts'
import type { JsonRpc } from '../json-rpc.ts'
import { openReadingTogether } from '../reading-together.ts'
import type { NonceAdapter } from '../chain-adapter.ts'
import type { ChainOptions } from '../options.ts'
import { readSupply, readTokenFacts } from './balance.ts'
import { toBlock } from './block.ts'
import { fetchBlock } from './fetch-block.ts'
import type { BlockSource } from './fetch-block.ts'
import { lookUp } from './look-up.ts'
import { readHead, readHeader, readStanding } from './node.ts'
import { openBalances } from './old-states.ts'
import { openSpending } from './spend.ts'
import { openTipReader } from './tip.ts'
import { openTracing } from './tracing.ts'

/** Puts the nodes of an EVM chain behind the port. */
export function openEvmAdapter(options: ChainOptions, deps: AdapterDeps): NonceAdapter {
  const { chainId } = options
  const http = deps.openHttp({ clock: deps.clock, timeoutMs: options.timeoutMs })
  const nodes = options.nodes.map((node) =>
    openReadingTogether(openJsonRpc(http.node(node), deps.clock, deps.onRequest)),
  )
  const failover = openFailover({
    ...deps,
    chainId,
    nodes,
    nameOf: (rpc) => rpc.name,
    standingOf: readStanding,
  })
  const tips = openTipReader(deps.clock, options.finalityTag)
  const source = blockSource(options, deps, { nodes, failover })
  const hashAt = async (rpc: JsonRpc, height: number) =>
    (await readHeader(rpc, height))?.hash ?? null
  return {
    chainId,
    identify: (pin) => failover.identify(pin),
    tip: () =>
      failover.use(async (rpc) => {
        const tip = await tips.read(rpc, failover)
        failover.saw(rpc, tip.head.height)
        return tip
      }),
    blockAt: (query, scope) =>
      failover.find(async (rpc) => {
        const fetched = await fetchBlock(source, rpc, query, scope)
        if (fetched !== null) return toBlock(chainId, fetched, scope)
        return 'height' in query ? nullUnlessGap(failover, rpc, query.height) : null
      }),
    transaction: (txnHash, { tokens }) =>
      failover.find((rpc) => lookUp(source, rpc, { txnHash, tokens })),
    hashAt: (height) =>
      failover.find(
        async (rpc) => (await hashAt(rpc, height)) ?? nullUnlessGap(failover, rpc, height),
      ),
    dissent: (ref, known) => findDissent(failover, { ref, known }, { hashAt, headOf: readHead }),
    balancesAt: 'named-block',
    balanceOf: openBalances({ chainId, clock: deps.clock, nodes, failover }),
    supplyOf: (tokenId) => failover.use((rpc) => readSupply(rpc, tokenId)),
    inspectToken: (tokenId) => failover.use((rpc) => readTokenFacts(rpc, tokenId)),
    listen: () => () => undefined,
    ...openSpending(options, failover),
    close: () => http.close(),
  }
}

function blockSource(
  { chainId, traces, completeness, logsOwnMoves = false }: ChainOptions,
  { clock, log }: AdapterDeps,
  { nodes, failover }: { nodes: readonly JsonRpc[]; failover: Failover<JsonRpc> },
): BlockSource {
  const others = (rpc: JsonRpc) => failover.others(rpc)
  const tracing = openTracing({ chainId, mode: traces, nodes, others, clock, log })
  const disagreed = new Set<JsonRpc>()
  return { chainId, completeness, logsOwnMoves, tracing, others, disagreed, log }
}
