import { secp256k1 } from '@noble/curves/secp256k1.js'
import { startFaultProxy, startTronNode } from '@sluice/simulator'
import type { FaultProxy, TronChain, TronNode, TronNodeOptions } from '@sluice/simulator'
import { createHash } from 'node:crypto'
import { addressOf } from '../../src/chains/format-address.ts'
import { payingBy, type WindowAdapter } from '../../src/chains/chain-adapter.ts'
import type { ChainOptions } from '../../src/chains/options.ts'
import type { Address } from '../../src/chains/port.ts'
import { openChains } from '../../src/chains/registry.ts'
import { signDigest } from '../../src/keys/sign-digest.ts'
import { ManualClock, SeededRandom, silentLog } from '../support/clock.ts'
import { parseChain, parseHolder, parseToken } from './brands.ts'
import type { World } from './conformance.ts'
import type { Sender } from './spending-hand.ts'

/** A world on a simulated TRON node, and the additional tools of its tests. */
export interface TronWorld extends World {
  readonly adapter: WindowAdapter
  readonly chain: TronChain
  readonly tron: TronNode
  readonly proxy: FaultProxy
  /** T…, of the token. */
  readonly contract: string
  readonly openAdapter: (options: Partial<ChainOptions>) => WindowAdapter
}

export const SHASTA = parseChain('tron:shasta')
const FACTS = { decimals: 6, symbol: 'USDT' }
/** Initial balance of each sender: sun, and base units of the token. */
export const SENDER_SUN = 1_000_000_000n
export const SENDER_TOKENS = 1_000_000n
/** The id of the main network's first block ends like this. */
const MAIN_GENESIS = '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc'

/** Opens a chain with a node, a proxy before it, and an adapter. */
export async function openTronWorld(
  options: Partial<ChainOptions> = {},
  nodeOptions: TronNodeOptions = {},
): Promise<TronWorld> {
  const tron = await startTronNode(nodeOptions)
  const { chain } = tron
  const proxy = await startFaultProxy({ target: tron.url, seed: 1 })
  const clock = new ManualClock()
  const random = new SeededRandom(1)
  const contract = chain.deployToken({ name: 'Tether USD', ...FACTS })
  const opened: (() => Promise<void>)[] = []
  const openAdapter = (more: Partial<ChainOptions>): WindowAdapter => {
    const one = { ...defaults(proxy.url), ...options, ...more }
    const chains = openChains({ chains: [one], clock, random, log: silentLog() })
    opened.push(() => chains.close())
    const [adapter] = chains.all()
    if (!adapter) throw new Error('no adapter')
    return payingBy(adapter, 'window')
  }
  const genesis = chain.at(0)
  if (genesis === null) throw new Error('a chain without a beginning')
  chain.mine(25)
  let addresses = 0
  return {
    chain,
    tron,
    proxy,
    contract,
    openAdapter,
    knownStates: 'newest-final',
    adapter: openAdapter({}),
    identity: { chainId: SHASTA, genesis: genesis.id },
    nativeId: parseToken(`${SHASTA}/slip44:195`),
    token: { id: parseToken(`${SHASTA}/trc20:${contract}`), facts: FACTS },
    noTokenId: parseToken(`${SHASTA}/trc20:${tronSender(9_999).address}`),
    freshAddress: () => {
      addresses += 1
      return tronSender(100_000 + addresses).address
    },
    ...payments(chain, contract),
    spending: spending(chain, contract, proxy),
    mine: async (count = 1) => chain.mine(count),
    reorg: async (depth) => chain.reorg({ depth }),
    pass: (ms) => clock.set(clock.now() + ms),
    node: {
      away: () => void proxy.rules.add({ action: { do: 'dropBefore' } }),
      nonsense: () => void proxy.rules.add({ action: { do: 'malformed', body: '{"a":1}' } }),
      serveOtherChain: async () => tron.setGenesis(MAIN_GENESIS),
      mend: async () => {
        proxy.rules.clear()
        tron.setGenesis(null)
      },
    },
    close: async () => {
      for (const close of opened) await close()
      await proxy.stop()
      await tron.stop()
    },
  }
}

/** A sender of TRON chains, by its number. */
export function tronSender(number: number): Sender {
  const key = new Uint8Array(createHash('sha256').update(`tron sender ${number}`).digest())
  return {
    address: addressOf(SHASTA, secp256k1.getPublicKey(key, true)),
    sign: (digest) => signDigest(key, digest),
  }
}

function payments(chain: TronChain, token: string) {
  return {
    payNative: async (to: Address, amount: bigint) => chain.pay({ to, amount }),
    payToken: async (to: Address, amount: bigint) => chain.payToken({ to, amount, token }),
    payInternal: async (to: Address, amount: bigint) => chain.payInternal({ to, amount }),
    payInVain: async (to: Address, amount: bigint) => chain.failed({ to, amount }),
    reorgKeeping: async (depth: number, txnHash: string) => {
      chain.reorg({ depth, keep: new Map([[txnHash, chain.head().height]]) })
    },
  }
}

function spending(chain: TronChain, token: string, { rules }: FaultProxy): World['spending'] {
  const broadcast = { method: '/wallet/broadcasthex' }
  const contract = parseHolder(SHASTA, token)
  let senders = 0
  return {
    // The chain takes no coins for contracts at all.
    glutton: contract,
    refuser: contract,
    newSender: async () => {
      senders += 1
      const sender = tronSender(senders)
      chain.pay({ to: sender.address, amount: SENDER_SUN })
      chain.payToken({ to: sender.address, amount: SENDER_TOKENS, token })
      chain.mine()
      return sender
    },
    pauseToken: async (on) => chain.setToken(token, { isPaused: on }),
    loseAnswers: () => void rules.add({ match: broadcast, action: { do: 'dropAfter' } }),
    denyAnswers: () => void rules.add({ match: broadcast, action: { do: 'http', status: 500 } }),
    overcharge: () => {
      chain.params.energyFee = 10_000_000n
    },
  }
}

function defaults(url: string): ChainOptions {
  return {
    chainId: SHASTA,
    nodes: [{ url }],
    traces: 'auto',
    completeness: 'receipts',
    timeoutMs: 10_000,
    finalityTag: true,
  }
}
