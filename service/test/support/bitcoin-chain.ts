import {
  BITCOIN_NETWORKS,
  BitcoinHand,
  rpcClient,
  startBitcoind,
  startBitcoinNode,
} from '@sluice/simulator'
import type { ChainId } from '@sluice/wire'
import { expect, onTestFinished } from 'vitest'
import { parseChain } from '../adapters/brands.ts'
import { bitcoind, whyNoBitcoind } from './bitcoind.ts'
import { openWorld, type World } from './world.ts'
import type { WorldChain } from './world-life.ts'

/** A regtest node and a funded payer. */
export interface BitcoinTestChain {
  id: ChainId
  /** With the node's user and password, if it needs them. */
  url: string
  hand: BitcoinHand
  stop: () => Promise<void>
}

export const REGTEST = parseChain('bip122:0f9188f13cb7b2c71f2a335e3a4fc328')
/** The token id of its coin. */
export const TBTC = `${REGTEST}/slip44:0`

/** The nodes that a suite runs on; if no real one is installed, the name says why. */
export const BITCOIN_NODES = [
  { name: 'the simulated node', start: startSimulatedBitcoin, isThere: true },
  {
    name: `a real node ${whyNoBitcoind ?? ''}`,
    start: () => startChain('real'),
    isThere: whyNoBitcoind === null,
  },
]

/** A chain of a simulated node, of regtest. */
export function startSimulatedBitcoin(): Promise<BitcoinTestChain> {
  return startChain('simulated')
}

/** A world of this test's own on a chain, closed when the test ends. */
export async function bitcoinWorld(
  chain: BitcoinTestChain,
  more: Partial<WorldChain> = {},
): Promise<World> {
  const seed = expect.getState().currentTestName ?? ''
  const world = await openWorld({ seed, chains: [{ id: chain.id, nodes: [chain.url], ...more }] })
  onTestFinished(() => world.close())
  await world.settle()
  return world
}

async function startChain(kind: 'simulated' | 'real'): Promise<BitcoinTestChain> {
  const node =
    kind === 'real'
      ? await startBitcoind({ binary: bitcoind })
      : await startBitcoinNode({ seed: 7, network: 'regtest' })
  return handOf(node.url, () => node.stop())
}

/** A funded payer at a regtest node; stopping it stops the node. */
export async function handOf(
  url: string,
  stopNode: () => Promise<void>,
): Promise<BitcoinTestChain> {
  const client = rpcClient(url)
  const hand = await BitcoinHand.open({
    rpc: (method, params) => client.call(method, params),
    network: BITCOIN_NETWORKS.regtest,
    seed: 'payer',
    coins: 90,
  })
  const stop = async () => {
    client.close()
    await stopNode()
  }
  return { id: REGTEST, url, hand, stop }
}
