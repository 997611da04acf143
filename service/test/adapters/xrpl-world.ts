import type { ChainId } from '@sluice/wire'
import { startFaultProxy, startXrplNode, xrplWallet } from '@sluice/simulator'
import type { FaultProxy, XrplChain, XrplNode } from '@sluice/simulator'
import { type ChainAdapter, payingBy, type TicketAdapter } from '../../src/chains/chain-adapter.ts'
import type { ChainOptions } from '../../src/chains/options.ts'
import type { Address } from '../../src/chains/port.ts'
import { openChains } from '../../src/chains/registry.ts'
import { ManualClock, SeededRandom, silentLog } from '../support/clock.ts'
import { parseChain, parseHolder, parseToken } from './brands.ts'
import type { World } from './conformance.ts'
import type { SpendingHand } from './spending-hand.ts'

/** A world around the simulated node, with a proxy before it that can misbehave. */
export interface XrplWorld extends World {
  readonly adapter: TicketAdapter
  readonly chain: XrplChain
  readonly nodes: readonly XrplNode[]
  readonly proxy: FaultProxy
}

export const XRPL_CHAIN = parseChain('xrpl:testnet')
export const XRP = parseToken('xrpl:testnet/slip44:144')

export interface XrplWorldOptions {
  /** Nodes behind the first one, which has the proxy before it. */
  others?: number
  chainId?: ChainId
  kind?: 'rippled' | 'clio'
  versionMax?: number
  /** Reserve of accounts, in drops; zero if the test ignores it. */
  reserve?: bigint
}

/** Ledgers come only when asked for. */
export async function openXrplWorld(options: XrplWorldOptions = {}): Promise<XrplWorld> {
  const {
    others = 0,
    chainId = XRPL_CHAIN,
    kind = 'rippled',
    versionMax = 2,
    reserve = 0n,
  } = options
  const fees = { reserveBase: reserve, reserveStep: reserve / 5n }
  const first = await startXrplNode({ kind, versionMax, fees })
  const { chain } = first
  const rest = Array.from({ length: others }, () => startXrplNode({ chain, kind, versionMax }))
  const nodes = [first, ...(await Promise.all(rest))]
  const proxy = await startFaultProxy({ target: first.url, seed: 1 })
  const clock = new ManualClock()
  const urls = [proxy.url, ...nodes.slice(1).map(({ url }) => url)]
  const chains = openChains({
    chains: [{ ...chainOptions(urls), chainId }],
    clock,
    random: new SeededRandom(1),
    log: silentLog(),
  })
  chain.close()
  let fresh = 0
  return {
    chain,
    nodes,
    proxy,
    adapter: adapterOf(chains.all()),
    identity: { chainId, genesis: 'network-1' },
    nativeId: XRP,
    token: null,
    noTokenId: null,
    freshAddress: () => {
      fresh += 1
      return holderOf(`fresh ${fresh}`)
    },
    ...payments(chain),
    spending: NO_SPENDING,
    pass: (ms) => clock.set(clock.now() + ms),
    node: {
      away: () => void proxy.rules.add({ action: { do: 'dropBefore' } }),
      nonsense: () => void proxy.rules.add({ action: { do: 'mutate', change: () => ({ a: 1 }) } }),
      serveOtherChain: async () => first.setNetworkId(21_338),
      mend: async () => {
        proxy.rules.clear()
        first.setNetworkId(undefined)
      },
    },
    close: async () => {
      await chains.close()
      await proxy.stop()
      for (const node of nodes) await node.stop()
    },
  }
}

/** The address of a wallet that follows from a name. */
export function holderOf(name: string): Address {
  return parseHolder(XRPL_CHAIN, xrplWallet(name).address)
}

/** How the adapter is asked to reach nodes. */
export function chainOptions(urls: readonly string[]): ChainOptions {
  return {
    chainId: XRPL_CHAIN,
    nodes: urls.map((url) => ({ url })),
    traces: 'off',
    completeness: 'receipts',
    timeoutMs: 10_000,
    finalityTag: true,
  }
}

function payments(chain: XrplChain) {
  const noTokens = async (): Promise<string> => {
    throw new Error('no tokens here')
  }
  return {
    payNative: async (to: Address, amount: bigint) => chain.pay({ to, amount, tag: 7 }),
    payToken: noTokens,
    payInternal: null,
    payInVain: async (to: Address, amount: bigint) => chain.payInVain({ to, amount }),
    mine: async (count = 1) => void chain.close(count),
    reorg: async (depth: number) => chain.rewrite(depth),
    reorgKeeping: async (depth: number, txnHash: string) => chain.rewrite(depth, [txnHash]),
  }
}

function adapterOf([adapter]: readonly ChainAdapter[]): TicketAdapter {
  if (adapter === undefined) throw new Error('no adapter')
  return payingBy(adapter, 'ticket')
}

/** The gas and nonce suite is for other families: XRPL has its own tests. */
const NO_SPENDING: SpendingHand = new Proxy(Object(null), {
  get: () => {
    throw new Error('the suite of gas is not for this chain')
  },
})
