import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { BitcoinChain } from '../bitcoin-chain.ts'
import { BitcoinHand } from '../bitcoin-hand.ts'
import { startBitcoinNode } from '../bitcoin-node.ts'
import { bitcoinAddress, bitcoinKey } from '../bitcoin-wallet.ts'
import { startBitcoind } from '../bitcoind.ts'
import { keepChain } from '../bitcoin/journal.ts'
import { BITCOIN_NETWORKS } from '../bitcoin/networks.ts'
import { scriptOfAddress } from '../bitcoin/scripts.ts'
import { rpcClient } from '../rpc-client.ts'
import type { PayIn, SandboxChain, SandboxToken } from './chains.ts'
import { type CoinControl, mineDear, readWaiting } from './coin-control.ts'
import { Mistake } from './mistake.ts'

/** A running chain of coins, and the end of it. */
export interface BitcoinSandbox {
  chain: SandboxChain
  /** The service's URL of the node. */
  url: string
  stop(): Promise<void>
}

export interface BitcoinPlan {
  port: number
  folder: string
  /** The program of a real node; null for the simulated one. */
  bitcoind: string | null
}

const SIMULATED_ID = 'bip122:000000000933ea01ad0ee984209779ba'
const REGTEST_ID = 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328'
const BLOCK_MS = 5_000
const SATOSHI = 1e8

/** The chain that a plan makes: the simulated one is a test network, a real one is of regtest. */
export function bitcoinIdOf({ bitcoind }: Pick<BitcoinPlan, 'bitcoind'>): string {
  return bitcoind === null ? SIMULATED_ID : REGTEST_ID
}

/** The URL of its node, with user and password if it requires them. */
export function bitcoinUrlOf({ bitcoind, port }: Pick<BitcoinPlan, 'bitcoind' | 'port'>): string {
  return `http://${bitcoind === null ? '' : 'sluice:regtest@'}127.0.0.1:${port}`
}

/** Starts a node, or continues its saved chain; mines a block every five seconds. */
export async function startBitcoin(plan: BitcoinPlan): Promise<BitcoinSandbox> {
  const network = plan.bitcoind === null ? BITCOIN_NETWORKS.test : BITCOIN_NETWORKS.regtest
  const node = await startNode(plan)
  const client = rpcClient(node.url)
  const rpc = <T>(method: string, params?: readonly unknown[]) => client.call<T>(method, params)
  try {
    const hand = await BitcoinHand.open({ rpc, network, seed: 'sandbox faucet' })
    const miner = bitcoinAddress(bitcoinKey('sandbox miner'), network.kind)
    const turns = new Turns()
    const whim: Whim = { leastPerKvb: null }
    const mine = (blocks: number) => turns.take(() => mineBlocks(hand, { miner, whim, blocks }))
    const ticking = setInterval(() => void mine(1).catch(() => undefined), BLOCK_MS)
    const coins = coinControl({ hand, turns, whim, simulated: node.simulated })
    const chain = { ...(await openChain({ plan, hand, turns, mine })), coins }
    return {
      chain,
      url: node.url,
      async stop() {
        clearInterval(ticking)
        await turns.take(async () => undefined)
        client.close()
        await node.stop()
      },
    }
  } catch (error) {
    client.close()
    await node.stop()
    throw error
  }
}

/** The miner's minimum rate: null if it takes all. */
interface Whim {
  leastPerKvb: bigint | null
}

async function mineBlocks(
  hand: BitcoinHand,
  { miner, whim, blocks }: { miner: string; whim: Whim; blocks: number },
): Promise<void> {
  const { leastPerKvb: perKvb } = whim
  if (perKvb === null) await hand.rpc('generatetoaddress', [blocks, miner])
  else for (let block = 0; block < blocks; block += 1) await mineDear(hand, { miner, perKvb })
}

function coinControl(parts: {
  hand: BitcoinHand
  turns: Turns
  whim: Whim
  simulated: BitcoinChain | null
}): CoinControl {
  const { hand, turns, whim, simulated } = parts
  return {
    setFeeRate(perKvb) {
      if (simulated === null) throw new Mistake('a real node estimates by what it has seen')
      simulated.estimate = perKvb
    },
    mineFrom(perKvb) {
      whim.leastPerKvb = perKvb
    },
    waiting: () => readWaiting(hand),
    doubleSpend: (txnHash) =>
      turns.take(async () => {
        if (!hand.hasPaid(txnHash)) throw new Mistake('only what this start has paid in')
        return hand.doubleSpend(txnHash)
      }),
  }
}

interface OpenChain {
  plan: BitcoinPlan
  hand: BitcoinHand
  turns: Turns
  mine: (blocks: number) => Promise<unknown>
}

async function openChain({ plan, hand, turns, mine }: OpenChain): Promise<SandboxChain> {
  const { rpc, kind } = hand
  const chainId = bitcoinIdOf(plan)
  const head = () => rpc<number>('getblockcount')
  const scriptOf = (address: string) => scriptOfAddress(address, kind).toString('hex')
  return {
    chainId,
    tokens: [tokenOf(chainId)],
    floor: await head(),
    bound: 'start',
    anvil: null,
    payIn: ({ address, amount }: PayIn) =>
      turns.take(async () => {
        const txnHash = await hand.pay({ payees: [{ to: address, amount }] })
        await hand.mine()
        return { txnHash, blockNumber: await head() }
      }),
    head,
    mine: async (blocks) => void (await mine(blocks)),
    reorg: (depth) => turns.take(() => hand.reorgForgetting(depth)),
    holding: async (address) => {
      const scripts = [`raw(${scriptOf(address)})`]
      const found = await rpc<{ unspents: { amount: number }[] }>('scantxoutset', [
        'start',
        scripts,
      ])
      return found.unspents.reduce((sum, one) => sum + BigInt(Math.round(one.amount * SATOSHI)), 0n)
    },
    isAddress: (text) => {
      try {
        return scriptOf(text).length > 0
      } catch {
        return false
      }
    },
  }
}

function tokenOf(chainId: string): SandboxToken {
  return { id: `${chainId}/slip44:0`, chainId, symbol: 'tBTC', decimals: 8, address: null }
}

async function startNode({ bitcoind, port, folder }: BitcoinPlan): Promise<RunningNode> {
  if (bitcoind !== null) {
    const own = join(folder, 'bitcoind')
    await mkdir(own, { recursive: true })
    const real = await startBitcoind({ binary: bitcoind, port, folder: own })
    return { url: real.url, stop: () => real.stop(), simulated: null }
  }
  const now = () => Math.floor(Date.now() / 1_000)
  const chain = new BitcoinChain({ seed: `sandbox ${now()}`, network: 'test', now })
  keepChain(chain, join(folder, 'bitcoin.blocks'))
  const node = await startBitcoinNode({ seed: 'sandbox', chain, port })
  return { url: node.url, stop: () => node.stop(), simulated: chain }
}

interface RunningNode {
  url: string
  stop: () => Promise<void>
  /** Null for a real node. */
  simulated: BitcoinChain | null
}

/** Runs tasks in sequence: a block must not come during a payment or a reorg. */
class Turns {
  #last: Promise<unknown> = Promise.resolve()

  take<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }
}
