import {
  base58Of,
  hex41Of,
  type Seeded,
  startTronNode,
  TronChain,
  type TronNode,
  tronWallet,
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

const ID = 'tron:shasta'
const COIN = `${ID}/slip44:195`
/** The address of the token in the catalogue. */
const CONTRACT = 'TG3XXyExBkPp9nzdajDZsozEu4BkaSJozs'
const TOKEN = `${ID}/trc20:${CONTRACT}`
const UNIT = 1_000_000n
/** Less would not be worth its fee, and wait until fees are lower. */
const FLOOR = 20n * UNIT
const BLOCK_MS = 3_000
const SOLID_LAG = 3
const KEEP_CHANCE = 0.8

/** A simulated TRON in this process, of which three blocks are not solid yet. */
export async function startTronSoak(options: SoakChainOptions): Promise<SoakChain> {
  const chain = new TronChain({ startTime: slot(), solidLag: SOLID_LAG })
  chain.deployToken({ name: 'Tether USD', symbol: 'USDT', decimals: 6, address: CONTRACT })
  chain.mine(SOLID_LAG)
  return new TronSoak(chain, await startTronNode({ chain }), options).door()
}

class TronSoak {
  readonly #chain: TronChain
  readonly #node: TronNode
  readonly #options: SoakChainOptions
  readonly #turns = new Turns()

  constructor(chain: TronChain, node: TronNode, options: SoakChainOptions) {
    this.#chain = chain
    this.#node = node
    this.#options = options
  }

  door(): SoakChain {
    const chain = this.#chain
    const everyMs = this.#options.blockMs ?? BLOCK_MS
    const blocks = new BlockMaker(this.#turns, everyMs, async () => chain.mine(1, slot()))
    return {
      id: ID,
      family: 'tron',
      nodeUrl: this.#node.url,
      urlOf: (port) => `http://127.0.0.1:${port}`,
      config: { startHeight: 1 },
      listed: [],
      tokens: [COIN, TOKEN],
      reach: 0,
      depositOf: (random) => UNIT + BigInt(random.int(5e7)),
      withdrawalOf: (random) => FLOOR + BigInt(random.int(1e7)),
      recipientOf: (number) => ({
        recipient: tronWallet(`${this.#options.seed} ${number}`).address,
        memo: null,
      }),
      pay: (payments) => this.#turns.take(async () => payments.forEach((one) => this.#pay(one))),
      fund: (own) => this.#turns.take(async () => this.#fund(own)),
      reorg: (random) => this.#turns.take(async () => this.#reorg(random)),
      run: () => blocks.run(),
      skip: (ms) => this.#turns.take(async () => chain.mine(1, chain.head().time + ms)),
      head: async () => ({ height: chain.head().height, hash: chain.head().id }),
      movements: async () => this.#movements(),
      stop: async () => {
        blocks.stop()
        await this.#node.stop()
      },
    }
  }

  #pay({ to, tokenId, amount }: Payment): void {
    if (tokenId === COIN) this.#chain.pay({ to, amount })
    else this.#chain.payToken({ to, amount, token: CONTRACT })
  }

  #fund({ settlement, gas }: OwnAddresses): void {
    this.#chain.pay({ to: settlement, amount: 1_000_000n * UNIT })
    this.#chain.pay({ to: gas, amount: 10_000_000n * UNIT })
    this.#chain.payToken({ to: settlement, amount: 1_000_000n * UNIT, token: CONTRACT })
  }

  /**
   * Some payments that are not solid vanish; signed transactions of the service return, often
   * later: a dropped one is known only by its expiration ten minutes later. All are delayed
   * equally, so that none precedes the top-up that pays for it and is dropped.
   */
  #reorg(random: Seeded): number {
    const depth = 1 + random.int(SOLID_LAG - 1)
    const { height } = this.#chain.head()
    const later = random.int(2)
    const keep = new Map<string, number>()
    for (let at = height - depth + 1; at <= height; at += 1) {
      for (const { transaction } of this.#chain.at(at)?.executed ?? []) {
        const isOurs = transaction.value['owner_address'] === this.#chain.faucet.hex
        if (isOurs && !random.chance(KEEP_CHANCE)) continue
        keep.set(transaction.id, Math.min(height, at + later))
      }
    }
    // Pending transactions stay pending.
    for (const id of this.#chain.pool.keys()) keep.set(id, height + 1)
    this.#chain.reorg({ depth, keep })
    return depth
  }

  #movements(): Movement[] {
    const found: Movement[] = []
    for (let at = 1; at <= this.#chain.head().height; at += 1) {
      for (const { transaction, contractRet, info } of this.#chain.at(at)?.executed ?? []) {
        if (contractRet !== 'SUCCESS') continue
        const { id: txnHash, type, value } = transaction
        if (type === 'TransferContract') {
          found.push({
            txnHash,
            from: base58Of(String(value['owner_address'])),
            to: base58Of(String(value['to_address'])),
            tag: null,
            tokenId: COIN,
            amount: BigInt(value['amount'] ?? 0n),
          })
        }
        const { log } = Object(info)
        if (Array.isArray(log)) found.push(...log.flatMap((one) => logged(txnHash, one)))
      }
    }
    return found
  }
}

function logged(txnHash: string, log: unknown): Movement[] {
  const { address, topics, data } = Object(log)
  if (`41${address}` !== hex41Of(CONTRACT) || !Array.isArray(topics)) return []
  const [, from, to] = topics.map((topic) => base58Of(`41${String(topic).slice(-40)}`))
  if (from === undefined || to === undefined) return []
  return [{ txnHash, from, to, tag: null, tokenId: TOKEN, amount: BigInt(`0x${data}`) }]
}

/** The beginning of the slot that it is now. */
function slot(): number {
  return Math.floor(Date.now() / BLOCK_MS) * BLOCK_MS
}
