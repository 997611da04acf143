import {
  BITCOIN_NETWORKS,
  BitcoinChain,
  BitcoinHand,
  bitcoinAddress,
  bitcoinKey,
  rpcClient,
  type Seeded,
  startBitcoind,
  startBitcoinNode,
} from '@sluice/simulator'
import {
  BlockMaker,
  type Movement,
  type OwnAddresses,
  type Payment,
  type SoakChain,
  type SoakChainOptions,
  Turns,
} from './chain.ts'

const ID = 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328'
const COIN = `${ID}/slip44:0`
const NETWORK = BITCOIN_NETWORKS.regtest
const SATOSHI = 1e8
const BLOCK_MS = 4_000
const CONFIRMATIONS = 3
/**
 * A deeper reorg would undo settled payments, which two operators must judge. Of the removed
 * transactions, bitcoind restores those of ten blocks only.
 */
const REACH = 2 * CONFIRMATIONS
/**
 * Replacements raise a node's fee estimates, so a small payment left alone would wait until its fee
 * falls to a tenth of it.
 */
const CONFIG = {
  confirmations: CONFIRMATIONS,
  startHeight: 1,
  feeBumpAfterBlocks: 6,
  feePercent: 100,
}
const COINS = 150
const FUNDED = 10_000_000n
const FUNDED_COINS = 60
const VANISH_CHANCE = 0.5
const PAY_TRIES = 10

/** A real bitcoind of regtest if installed, else the simulated node. */
export async function startBitcoinSoak(options: SoakChainOptions): Promise<SoakChain> {
  const { seed, bitcoind, blockMs = BLOCK_MS } = options
  const node =
    bitcoind === null
      ? await startBitcoinNode({ seed, chain: new BitcoinChain({ seed, network: 'regtest' }) })
      : await startBitcoind({ binary: bitcoind })
  const client = rpcClient(node.url)
  const rpc = <T>(method: string, params?: readonly unknown[]) => client.call<T>(method, params)
  const hand = await BitcoinHand.open({ rpc, network: NETWORK, seed, coins: COINS })
  const stop = async () => {
    client.close()
    await node.stop()
  }
  return new BitcoinSoak({ hand, seed, blockMs, url: node.url, stop }).door()
}

interface Parts {
  hand: BitcoinHand
  seed: string
  blockMs: number
  url: string
  stop: () => Promise<void>
}

class BitcoinSoak {
  readonly #hand: BitcoinHand
  readonly #parts: Parts
  readonly #turns = new Turns()
  #mined = 0

  constructor(parts: Parts) {
    this.#hand = parts.hand
    this.#parts = parts
  }

  door(): SoakChain {
    const { seed, url, stop, blockMs } = this.#parts
    const mine = () => this.#mine(1).catch(() => undefined)
    const blocks = new BlockMaker(this.#turns, blockMs, mine)
    const { username, password, origin } = new URL(url)
    const login = username === '' ? '' : `${username}:${password}@`
    return {
      id: ID,
      family: 'bitcoin',
      nodeUrl: origin,
      urlOf: (port) => `http://${login}127.0.0.1:${port}`,
      config: CONFIG,
      listed: [],
      tokens: [COIN],
      reach: REACH,
      depositOf: (random) => BigInt(20_000 + random.int(200_000)),
      withdrawalOf: (random) => BigInt(20_000 + random.int(50_000)),
      recipientOf: (number) => ({
        recipient: bitcoinAddress(bitcoinKey(`${seed} recipient ${number}`), NETWORK.kind),
        memo: null,
      }),
      pay: (payments) => this.#turns.take(() => this.#pay(payments)),
      fund: (own) => this.#turns.take(() => this.#fund(own)),
      reorg: (random, from) => this.#turns.take(() => this.#reorg(random, from)),
      run: () => blocks.run(),
      head: () => this.#head(),
      movements: () => this.#movements(),
      stop: async () => {
        blocks.stop()
        await this.#turns.take(async () => undefined)
        await stop()
      },
    }
  }

  /** One transaction with an output for each payment. A reorg may have removed its input. */
  async #pay(payments: readonly Payment[]): Promise<void> {
    if (payments.length === 0) return
    const payees = payments.map(({ to, amount }) => ({ to, amount }))
    for (let more = PAY_TRIES - 1; ; more -= 1) {
      try {
        await this.#hand.pay({ payees })
        return
      } catch (error) {
        if (more === 0) throw error
      }
    }
  }

  async #fund({ settlement }: OwnAddresses): Promise<void> {
    if (settlement === '') return
    const payees = Array.from({ length: FUNDED_COINS }, () => ({ to: settlement, amount: FUNDED }))
    await this.#hand.pay({ payees })
    await this.#mine(1)
  }

  /** The node's mempool, including the service's transactions; another miner each time. */
  async #mine(count: number): Promise<void> {
    this.#mined += 1
    const miner = bitcoinAddress(bitcoinKey(`soak miner ${this.#mined}`), NETWORK.kind)
    await this.#hand.rpc('generatetoaddress', [count, miner])
  }

  /** Half of the time payments in the removed blocks are double-spent and never return. */
  async #reorg(random: Seeded, from: number | null): Promise<number> {
    const { height } = await this.#head()
    const depth = from === null ? 1 + random.int(CONFIRMATIONS) : height - from + 1
    if (random.chance(VANISH_CHANCE)) {
      await this.#hand.reorgForgetting(depth)
      return depth
    }
    await this.#hand.undo(depth)
    await this.#mine(depth)
    return depth
  }

  async #head(): Promise<{ height: number; hash: string }> {
    const hash = await this.#hand.rpc<string>('getbestblockhash')
    return { height: await this.#hand.rpc<number>('getblockcount'), hash }
  }

  async #movements(): Promise<Movement[]> {
    const { height } = await this.#head()
    const found: Movement[] = []
    const owners = new Map<string, string>()
    for (let at = 1; at <= height; at += 1) {
      const hash = await this.#hand.rpc<string>('getblockhash', [at])
      const { tx } = await this.#hand.rpc<{ tx: BitcoinShape[] }>('getblock', [hash, 2])
      for (const { txid, vin, vout } of tx) {
        const [first] = vin
        const from = owners.get(`${first?.txid}:${first?.vout}`) ?? ''
        for (const { n, value, scriptPubKey } of vout) {
          const to = scriptPubKey.address ?? ''
          owners.set(`${txid}:${n}`, to)
          const amount = BigInt(Math.round(value * SATOSHI))
          if (amount > 0n) found.push({ txnHash: txid, from, to, tag: null, tokenId: COIN, amount })
        }
      }
    }
    return found
  }
}

interface BitcoinShape {
  txid: string
  vin: { txid?: string; vout?: number }[]
  vout: { n: number; value: number; scriptPubKey: { address?: string } }[]
}
