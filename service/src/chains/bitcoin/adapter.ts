import { formatTokenId } from '@sluice/wire'
import type { AdapterDeps } from '../adapter-deps.ts'
import { openFailover } from '../failover.ts'
import { findDissent, nullUnlessGap } from '../history.ts'
import type { HttpNode } from '../http.ts'
import { openJsonRpc, timing } from '../json-rpc.ts'
import type { UtxoAdapter } from '../chain-adapter.ts'
import type { ChainOptions } from '../options.ts'
import { fetchBlock } from './fetch-block.ts'
import { lookUp } from './look-up.ts'
import { readHash, readHead, readStanding } from './node.ts'
import { openRest } from './rest.ts'
import type { BitcoinNode } from './rest.ts'
import { openSpending } from './spend.ts'

/** The number of the coin in a native token id, the same on test networks (section 2.1). */
const COIN_TYPE = '0'

/**
 * Puts the nodes of a Bitcoin chain behind the port. There are no tokens, no final blocks but deep
 * ones, and no balances: nodes have no index of addresses, and each block proves what it pays.
 */
export function openBitcoinAdapter(options: ChainOptions, deps: AdapterDeps): UtxoAdapter {
  const { chainId } = options
  const { log } = deps
  const native = {
    chainId,
    tokenId: formatTokenId({ chainId, assetNamespace: 'slip44', assetReference: COIN_TYPE }),
  }
  const http = deps.openHttp({ clock: deps.clock, timeoutMs: options.timeoutMs })
  const failover = openFailover({
    ...deps,
    chainId,
    nodes: options.nodes.map((node) => openNode(http.node(node), deps)),
    nameOf: (rpc) => rpc.name,
    standingOf: readStanding,
  })
  return {
    chainId,
    identify: (pin) => failover.identify(pin),
    tip: () =>
      failover.use(async (rpc) => {
        const head = await readHead(rpc)
        failover.saw(rpc, head.height)
        return { head, final: null }
      }),
    blockAt: (query, scope) =>
      failover.find(async (rpc) => {
        const block = await fetchBlock(rpc, { ...native, log }, query, scope)
        if (block !== null || 'hash' in query) return block
        return nullUnlessGap(failover, rpc, query.height)
      }),
    transaction: (txnHash) => failover.find((rpc) => lookUp(rpc, native, txnHash)),
    hashAt: (height) =>
      failover.find(
        async (rpc) => (await readHash(rpc, height)) ?? nullUnlessGap(failover, rpc, height),
      ),
    dissent: (ref, known) =>
      findDissent(failover, { ref, known }, { hashAt: readHash, headOf: readHead }),
    balancesAt: 'nowhere',
    balanceOf: async () => null,
    inspectToken: async () => null,
    supplyOf: async () => null,
    listen: () => () => undefined,
    ...openSpending(native, failover),
    close: () => http.close(),
  }
}

function openNode(http: HttpNode, { clock, onRequest }: AdapterDeps): BitcoinNode {
  const rest = openRest(http, timing(http.name, clock, onRequest))
  return { ...openJsonRpc(http, clock, onRequest), rest }
}
