import {
  BITCOIN_NETWORKS,
  BitcoinHand,
  type BitcoinNetworkName,
  type BitcoinRpc,
  bitcoinAddress,
  bitcoinKey,
  type FaultProxy,
  rpcClient,
  startBitcoind,
  startBitcoinNode,
  startFaultProxy,
} from '@sluice/simulator'
import { payingBy, type UtxoAdapter } from '../../src/chains/chain-adapter.ts'
import type { ChainOptions } from '../../src/chains/options.ts'
import { openChains } from '../../src/chains/registry.ts'
import { bitcoind, whyNoBitcoind } from '../support/bitcoind.ts'
import { ManualClock, SeededRandom, silentLog } from '../support/clock.ts'
import { parseChain, parseHolder, parseToken } from './brands.ts'
import type { World } from './conformance.ts'
import type { SpendingHand } from './spending-hand.ts'

/** A world around a Bitcoin node, real or simulated, driven by Core's own calls. */
export interface BitcoinWorld extends World {
  readonly adapter: UtxoAdapter
  readonly hand: BitcoinHand
  readonly proxy: FaultProxy
}

/** Of which network the simulated node is, and whether blocks can be had as bytes. */
interface WorldOptions {
  network?: BitcoinNetworkName
  rest?: boolean
}

/** A node, real or simulated. */
export interface BitcoinNodeHandle {
  readonly url: string
  readonly stop: () => Promise<void>
}

export const REGTEST = parseChain('bip122:0f9188f13cb7b2c71f2a335e3a4fc328')
export const TESTNET = parseChain('bip122:000000000933ea01ad0ee984209779ba')
const OTHER_GENESIS = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'

/** A real node, of regtest; with `rest` blocks can be had as bytes. */
export async function openBitcoindWorld({ rest = false } = {}): Promise<BitcoinWorld> {
  const args = rest ? ['-rest=1'] : []
  return openBitcoinWorld(await startBitcoind({ binary: bitcoind, args }), 'regtest')
}

/** The simulated node, as regtest or as a test network. */
export async function openSimulatedBitcoinWorld(
  network: BitcoinNetworkName = 'test',
  { rest = false } = {},
): Promise<BitcoinWorld> {
  return openBitcoinWorld(await startBitcoinNode({ seed: 7, network, rest }), network)
}

/** The worlds of a suite; the name gives the reason if there is no real node. */
export function bitcoinWorlds({ network = 'regtest', rest = false }: WorldOptions = {}) {
  return [
    {
      name: 'the simulated node',
      open: () => openSimulatedBitcoinWorld(network, { rest }),
      isThere: true,
    },
    {
      name: `a real node ${whyNoBitcoind ?? ''}`,
      open: () => openBitcoindWorld({ rest }),
      isThere: whyNoBitcoind === null,
    },
  ]
}

/** Calls a node at an address, with the credentials that the address holds. */
export function callerOf(url: string): { rpc: BitcoinRpc; close: () => void } {
  const client = rpcClient(url)
  return { rpc: (method, params) => client.call(method, params), close: () => client.close() }
}

async function openBitcoinWorld(
  node: BitcoinNodeHandle,
  network: BitcoinNetworkName,
): Promise<BitcoinWorld> {
  const chainId = network === 'regtest' ? REGTEST : TESTNET
  const proxy = await startFaultProxy({ target: node.url, seed: 1 })
  const clock = new ManualClock()
  const chain = optionsOf(chainId, withCredentials(proxy.url, node.url))
  const chains = openChains({
    chains: [chain],
    clock,
    random: new SeededRandom(1),
    log: silentLog(),
  })
  const [adapter] = chains.all()
  if (!adapter) throw new Error('no adapter')
  const { rpc, close } = callerOf(node.url)
  const hand = await BitcoinHand.open({ rpc, network: BITCOIN_NETWORKS[network], seed: 'payer' })
  const genesis = await rpc<string>('getblockhash', [0])
  let fresh = 0
  const payQuietly = async (to: string, amount: bigint) =>
    hand.pay({ payees: [{ to, amount }], isSent: false })
  return {
    hand,
    proxy,
    adapter: payingBy(adapter, 'utxo'),
    identity: { chainId, genesis },
    nativeId: parseToken(`${chainId}/slip44:0`),
    token: null,
    noTokenId: null,
    knowsHolders: false,
    freshAddress: () => {
      fresh += 1
      return parseHolder(chainId, bitcoinAddress(bitcoinKey(`fresh ${fresh}`), hand.kind))
    },
    payNative: payQuietly,
    payToken: () => Promise.reject(new Error('there are no tokens')),
    payInternal: null,
    payInVain: null,
    mine: (count) => hand.mine(count),
    reorg: (depth) => hand.reorg(depth),
    reorgKeeping: (depth, txnHash) => hand.reorgKeeping(depth, txnHash),
    pass: (ms) => clock.set(clock.now() + ms),
    node: faultsOf(proxy),
    spending: noSpending(chainId),
    close: async () => {
      await chains.close()
      close()
      await proxy.stop()
      await node.stop()
    },
  }
}

function optionsOf(chainId: ChainOptions['chainId'], url: string): ChainOptions {
  return {
    chainId,
    nodes: [{ url }],
    traces: 'off',
    completeness: 'receipts',
    timeoutMs: 10_000,
    finalityTag: false,
  }
}

/** The node's user and password at the proxy's address. */
function withCredentials(proxyUrl: string, nodeUrl: string): string {
  const url = new URL(proxyUrl)
  const { username, password } = new URL(nodeUrl)
  return Object.assign(url, { username, password }).toString()
}

function faultsOf({ rules }: FaultProxy): World['node'] {
  return {
    away: () => void rules.add({ action: { do: 'dropBefore' } }),
    nonsense: () => void rules.add({ action: { do: 'mutate', change: () => ({ a: 1 }) } }),
    serveOtherChain: async () => {
      const isGenesis = ([height]: readonly unknown[]) => height === 0
      const match = { method: 'getblockhash', params: isGenesis }
      rules.add({ match, action: { do: 'mutate', change: () => OTHER_GENESIS } })
    },
    mend: async () => rules.clear(),
  }
}

/** The spending suite is about nonces; Bitcoin has its own suite. */
function noSpending(chainId: ChainOptions['chainId']): SpendingHand {
  const nobody = parseHolder(chainId, bitcoinAddress(bitcoinKey('nobody'), kindOf(chainId)))
  const none = () => {
    throw new Error('coins are spent otherwise')
  }
  return {
    glutton: nobody,
    refuser: nobody,
    newSender: none,
    pauseToken: none,
    loseAnswers: none,
    denyAnswers: none,
    overcharge: none,
  }
}

function kindOf(chainId: ChainOptions['chainId']) {
  return BITCOIN_NETWORKS[chainId === REGTEST ? 'regtest' : 'test'].kind
}
