import { openFailover } from '../failover.ts'
import { findDissent, nullUnlessGap } from '../history.ts'
import type { AdapterDeps } from '../adapter-deps.ts'
import type { WindowAdapter } from '../chain-adapter.ts'
import type { ChainOptions } from '../options.ts'
import { readBalance, readSettled, readSupply, readTokenFacts } from './balance.ts'
import { toBlock } from './block.ts'
import { fetchBlock } from './fetch-block.ts'
import { readStanding } from './identity.ts'
import { lookUp } from './look-up.ts'
import { readHead, readHeader } from './node.ts'
import { openSpending } from './spend.ts'
import { readTip } from './tip.ts'
import { openTronNode } from './tron-node.ts'
import type { TronNode } from './tron-node.ts'

/** Puts the nodes of a TRON chain behind the port. */
export function openTronAdapter(options: ChainOptions, deps: AdapterDeps): WindowAdapter {
  const { chainId, completeness } = options
  const http = deps.openHttp({
    clock: deps.clock,
    timeoutMs: options.timeoutMs,
    readsRefusals: true,
  })
  const failover = openFailover({
    ...deps,
    chainId,
    nodes: options.nodes.map((node) => openTronNode(http, node, deps)),
    nameOf: (node) => node.name,
    standingOf: (node, pin) =>
      readStanding(node, { chainId, genesis: options.genesis ?? null, pin }),
  })
  const readsInternal = options.traces !== 'off'
  const hashAt = async (node: TronNode, height: number) =>
    (await readHeader(node, { height }))?.id ?? null
  return {
    chainId,
    identify: (pin) => failover.identify(pin),
    tip: () =>
      failover.use(async (node) => {
        const tip = await readTip(node)
        failover.saw(node, tip.head.height)
        return tip
      }),
    blockAt: (query, scope) =>
      failover.find(async (node) => {
        const fetched = await fetchBlock(node, query, {
          completeness,
          scope,
          others: failover.others(node),
        })
        if (fetched !== null) return toBlock(chainId, fetched, scope, { readsInternal })
        return 'height' in query ? nullUnlessGap(failover, node, query.height) : null
      }),
    hashAt: (height) =>
      failover.find(
        async (node) => (await hashAt(node, height)) ?? nullUnlessGap(failover, node, height),
      ),
    dissent: (ref, known) => findDissent(failover, { ref, known }, { hashAt, headOf: readHead }),
    balanceOf: (address, tokenId, ref) =>
      failover.use((node) => readBalance(node, address, tokenId, ref)),
    supplyOf: (tokenId) => failover.use((node) => readSupply(node, tokenId)),
    balancesAt: 'final-block',
    settledBalance: (address, tokenId) =>
      failover.use((node) => readSettled(node, address, tokenId)),
    inspectToken: (tokenId) => failover.use((node) => readTokenFacts(node, tokenId)),
    transaction: (txnHash, scope) =>
      failover.find((node) => lookUp(node, chainId, txnHash, { scope, readsInternal })),
    listen: () => () => undefined,
    ...openSpending(chainId, failover),
    close: () => http.close(),
  }
}
