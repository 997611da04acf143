import {
  type BitcoinKey,
  bitcoinAddress,
  bitcoinKey,
  type KeyCoin,
  type Payee,
  signBitcoin,
} from './bitcoin-wallet.ts'
import type { BITCOIN_NETWORKS } from './bitcoin/networks.ts'
import type { AddressKind } from './bitcoin/scripts.ts'
import type { TransactionOutput } from './bitcoin/transaction.ts'

/** How a node is called, real or simulated. */
export type BitcoinRpc = <T>(method: string, params?: readonly unknown[]) => Promise<T>

export interface BitcoinHandOptions {
  rpc: BitcoinRpc
  network: (typeof BITCOIN_NETWORKS)[keyof typeof BITCOIN_NETWORKS]
  seed: string
  /** Initial coins, each a separate output and mature. */
  coins?: number
}

/** A payment to send. */
export interface HandPayment {
  payees: readonly Payee[]
  scripts?: readonly TransactionOutput[]
  /** Satoshi; by default above the nodes' minimum. */
  fee?: bigint
  /** Spends the coin of an earlier payment again. */
  instead?: string
  lockTime?: number
  sequence?: number
  /** False: no node hears of it before it is in a block, as is needed for what none passes on. */
  isSent?: boolean
}

const MATURITY = 100
const FEE = 2_000n
const DEAR_FEE = 50_000n
const COINS = 60
/** Blocks that are searched for one of its payments */
const LOOK_BACK = 200
const SATOSHI = 1e8

/**
 * Owner of coins at a node that the test controls: pays, mines and reorganizes through Core's own
 * calls, so that a real and a simulated node are driven alike. Each payment spends a different
 * coin; a block holds only what was sent since the last.
 */
export class BitcoinHand {
  readonly rpc: BitcoinRpc
  readonly kind: AddressKind
  readonly key: BitcoinKey
  readonly #spent = new Map<string, KeyCoin>()
  readonly #hexes = new Map<string, string>()
  #coins: KeyCoin[] = []
  #waiting: string[] = []
  #mined = 0

  private constructor({ rpc, network, seed }: BitcoinHandOptions) {
    this.rpc = rpc
    this.kind = network.kind
    this.key = bitcoinKey(seed)
  }

  /** Finds its coins, and mines the initial ones if it has none. */
  static async open(options: BitcoinHandOptions): Promise<BitcoinHand> {
    const hand = new BitcoinHand(options)
    const { coins = COINS } = options
    await hand.#find()
    if (hand.#coins.length > 0) return hand
    await options.rpc('generatetoaddress', [coins, hand.address])
    const nobody = bitcoinAddress(bitcoinKey('nobody'), hand.kind)
    await options.rpc('generatetoaddress', [MATURITY, nobody])
    await hand.#find()
    return hand
  }

  /** The address of its coins. */
  get address(): string {
    return bitcoinAddress(this.key, this.kind)
  }

  /** Pays, and returns the transaction's id; it is mined with the next block. */
  async pay(payment: HandPayment): Promise<string> {
    if (this.#coins.length === 0 && payment.instead === undefined) await this.#find()
    const { txid, hex } = this.sign(payment)
    if (payment.isSent !== false) await this.#send(txid, hex)
    this.#waiting = this.#waiting.filter((one) => one !== payment.instead)
    this.#waiting.push(txid)
    return txid
  }

  /**
   * A transaction that the node refuses spends nothing: a reorg may remove and restore its coin.
   */
  async #send(txid: string, hex: string): Promise<void> {
    try {
      await this.rpc('sendrawtransaction', [hex])
    } catch (error) {
      this.#spent.delete(txid)
      throw error
    }
  }

  /** The same, signed and not sent. */
  sign({ payees, instead, fee = FEE, isSent: _isSent, ...more }: HandPayment): {
    txid: string
    hex: string
  } {
    const coin = instead === undefined ? this.#coins.shift() : this.#spent.get(instead)
    if (coin === undefined) throw new Error('no coin is left')
    const signed = signBitcoin({ kind: this.kind, coins: [coin], payees, fee, ...more })
    this.#spent.set(signed.txid, coin)
    this.#hexes.set(signed.txid, signed.hex)
    return { txid: signed.txid, hex: signed.hex }
  }

  /** Pays from two addresses at once. */
  async payTogether({ payees }: Pick<HandPayment, 'payees'>): Promise<string> {
    const other = bitcoinKey('other')
    const [own, first] = [this.#coins.shift(), this.#coins.shift()]
    if (own === undefined || first === undefined) throw new Error('no coin is left')
    const fee = FEE
    const moved = signBitcoin({
      kind: this.kind,
      coins: [first],
      payees: [{ to: bitcoinAddress(other, this.kind), amount: first.value - fee }],
      fee,
    })
    const value = first.value - fee
    const coins = [own, { key: other, txid: moved.txid, vout: 0, value }]
    const joined = signBitcoin({ kind: this.kind, coins, payees, fee })
    for (const { txid, hex } of [moved, joined]) {
      await this.rpc('sendrawtransaction', [hex])
      this.#hexes.set(txid, hex)
      this.#waiting.push(txid)
    }
    return joined.txid
  }

  /** Mines blocks, of which the first holds what was sent. */
  async mine(count = 1): Promise<void> {
    const sent = this.#waiting.splice(0)
    for (let block = 0; block < count; block += 1) await this.mineExactly(block === 0 ? sent : [])
  }

  /** Mines a block of these transactions, by id, whether they wait or not, or by their bytes. */
  async mineExactly(transactions: readonly string[]): Promise<string> {
    const hexes = transactions.map((one) => this.#hexes.get(one) ?? one)
    // A different address each time: a block equal to an undone one would be the same block.
    this.#mined += 1
    const miner = bitcoinAddress(bitcoinKey(`miner ${this.#mined}`), this.kind)
    const { hash } = await this.rpc<{ hash: string }>('generateblock', [miner, hexes])
    this.#waiting = this.#waiting.filter((one) => !transactions.includes(one))
    return hash
  }

  /** Mines a block whose new coins go to an address. */
  async mineTo(address: string): Promise<string> {
    const { hash } = await this.rpc<{ hash: string }>('generateblock', [address, []])
    return hash
  }

  /** Removes the highest blocks; their transactions return to the pool. Returns the lowest. */
  async undo(depth: number): Promise<string> {
    const height = await this.rpc<number>('getblockcount')
    const lowest = await this.rpc<string>('getblockhash', [height - depth + 1])
    await this.rpc('invalidateblock', [lowest])
    return lowest
  }

  /** Replaces the highest blocks by as many empty ones. */
  async reorg(depth: number): Promise<void> {
    await this.undo(depth)
    for (let block = 0; block < depth; block += 1) await this.mineExactly([])
  }

  /** Replaces the highest blocks and double-spends its payments in them. */
  async reorgForgetting(depth: number): Promise<void> {
    const height = await this.rpc<number>('getblockcount')
    const paid = new Set<string>()
    for (let at = height - depth + 1; at <= height; at += 1) {
      const hash = await this.rpc<string>('getblockhash', [at])
      const { tx } = await this.rpc<{ tx: string[] }>('getblock', [hash, 1])
      for (const txid of tx) if (this.#spent.has(txid)) paid.add(txid)
    }
    await this.undo(depth)
    const rivals = [...paid].map((instead) => this.#takeBack(instead, 2n * FEE).hex)
    for (let block = 0; block < depth; block += 1) await this.mineExactly(block === 0 ? rivals : [])
  }

  /** Whether it has signed a transaction itself, and so can spend its coin otherwise. */
  hasPaid(txid: string): boolean {
    return this.#spent.has(txid)
  }

  /**
   * Spends the coin of a payment otherwise, and returns the id of the replacement: if the payment
   * is in a block, in a branch one block longer. Other transactions of those blocks are included
   * again.
   */
  async doubleSpend(txid: string): Promise<string> {
    const rival = this.#takeBack(txid, DEAR_FEE)
    const depth = await this.#depthOf(txid)
    if (depth > 0) await this.undo(depth)
    await this.mineExactly([rival.hex])
    this.#mined += 1
    const miner = bitcoinAddress(bitcoinKey(`miner ${this.#mined}`), this.kind)
    if (depth > 0) await this.rpc('generatetoaddress', [depth, miner])
    return rival.txid
  }

  /** The whole coin of a payment returns to its source. */
  #takeBack(instead: string, fee: bigint): { txid: string; hex: string } {
    return this.sign({ payees: [], instead, fee })
  }

  /** Number of blocks to undo until a payment is out; 0 if it is in no block. */
  async #depthOf(txid: string): Promise<number> {
    const height = await this.rpc<number>('getblockcount')
    for (let at = height; at > 0 && at > height - LOOK_BACK; at -= 1) {
      const hash = await this.rpc<string>('getblockhash', [at])
      const { tx } = await this.rpc<{ tx: string[] }>('getblock', [hash, 1])
      if (tx.includes(txid)) return height - at + 1
    }
    return 0
  }

  /** Replaces the highest blocks, and puts a transaction into the last of the new ones. */
  async reorgKeeping(depth: number, txid: string): Promise<void> {
    await this.undo(depth)
    for (let block = 1; block < depth; block += 1) await this.mineExactly([])
    await this.mineExactly([txid])
  }

  /** Its coins in blocks that can be spent now. */
  async #find(): Promise<void> {
    const scripts = [`raw(${this.key.script.toString('hex')})`]
    const { height, unspents } = await this.rpc<{ height: number; unspents: Unspent[] }>(
      'scantxoutset',
      ['start', scripts],
    )
    const spent = new Set([...this.#spent.values()].map(({ txid, vout }) => `${txid}:${vout}`))
    const ripe = unspents.filter(({ txid, vout, coinbase = false, height: made }) => {
      return !spent.has(`${txid}:${vout}`) && (!coinbase || height - made >= MATURITY)
    })
    this.#coins = ripe
      .sort((a, b) => a.height - b.height || a.vout - b.vout)
      .map(({ txid, vout, amount }) => {
        return { key: this.key, txid, vout, value: BigInt(Math.round(amount * SATOSHI)) }
      })
  }
}

/** An unspent output as `scantxoutset` returns it. */
interface Unspent {
  txid: string
  vout: number
  amount: number
  height: number
  coinbase?: boolean
}
