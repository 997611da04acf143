import {
  type BitcoinBlock,
  type ChainWatch,
  coinbaseOf,
  deserializeBlock,
  headerOf,
  merkleRoot,
  workOut,
} from './bitcoin/block.ts'
import { hash256, hidden, shown } from './bitcoin/bytes.ts'
import { type CheckScripts, Coins } from './bitcoin/coins.ts'
import { fillBlock } from './bitcoin/fill-block.ts'
import { BITCOIN_NETWORKS, type BitcoinNetwork, GENESIS_TRANSACTION } from './bitcoin/networks.ts'
import { Pool, PoolRefusal } from './bitcoin/pool.ts'
import { type BitcoinTransaction, deserialize, NO_TXID, txidOf } from './bitcoin/transaction.ts'
import { type Seeded, seeded } from './seeded.ts'

export interface BitcoinChainOptions {
  seed: number | string
  network?: keyof typeof BITCOIN_NETWORKS
  /** Seconds since 1970, for the next block; without it ten minutes after the last. */
  now?: () => number
}

const FIRST_SECONDS = 1_700_000_000
const BLOCK_SECONDS = 600
const SUBSIDY = 50n * 100_000_000n

/**
 * A simulated Bitcoin chain: blocks with proof of work, coins, and a pool; all of it follows from
 * the seed and the calls. Blocks are verified as a node does, except that scripts other than P2WPKH
 * and P2TR count as satisfied, as do all scripts of a block unless its maker requires more.
 */
export class BitcoinChain {
  readonly network: BitcoinNetwork
  readonly coins = new Coins()
  readonly pool = new Pool()
  /** Rate of `estimatesmartfee`, in satoshi per 1,000 vbytes; null if it has no estimate. */
  estimate: bigint | null = null
  /** Lowest rate that is mined unless a transaction is named, in satoshi per 1,000 vbytes. */
  minedFrom = 0n
  readonly #random: Seeded
  readonly #now: (() => number) | null
  readonly #blocks = new Map<string, BitcoinBlock>()
  #active: BitcoinBlock[] = []
  #watch: ChainWatch | null = null

  constructor({ seed, network = 'regtest', now }: BitcoinChainOptions) {
    this.network = BITCOIN_NETWORKS[network]
    this.#random = seeded(`${seed}/bitcoin`)
    this.#now = now ?? null
    this.#connect(this.#store(firstBlock(this.network), null))
  }

  get tip(): BitcoinBlock {
    const tip = this.#active.at(-1)
    if (tip === undefined) throw new Error('a chain without a first block')
    return tip
  }

  /** The block of a height on the chain, or of a hash on any branch. */
  blockAt(at: number | string): BitcoinBlock | undefined {
    return typeof at === 'number' ? this.#active[at] : this.#blocks.get(at)
  }

  isActive(block: BitcoinBlock): boolean {
    return this.#active[block.height] === block
  }

  /** Accepts a signed transaction whose fee rate is at most `most`; throws PoolRefusal. */
  send(transaction: BitcoinTransaction, most?: bigint): string {
    const at = { coins: this.coins, ...this.#next(), ...(most === undefined ? {} : { most }) }
    return this.pool.accept(transaction, at).txid
  }

  /**
   * Mines a block onto the tip whose coins go to a script: with what waits and pays best, or with
   * exactly these transactions. Throws Invalid if these are invalid.
   */
  mine(
    script: Buffer,
    transactions: readonly BitcoinTransaction[] = fillBlock(this.pool, this.minedFrom),
    check?: CheckScripts,
  ): BitcoinBlock {
    const { height, time } = this.#next()
    const fees = transactions.reduce((sum, one) => sum + this.#feeOf(one, transactions), 0n)
    const coinbase = coinbaseOf({
      height,
      script,
      value: this.#subsidy(height) + fees,
      salt: Buffer.from(this.#random.hex(8), 'hex'),
      others: transactions,
    })
    const all = [coinbase, ...transactions]
    const worked = workOut({ previousHash: this.tip.hash, time, transactions: all })
    const block = this.#store({ ...worked, time, transactions: all }, this.tip)
    this.#connect(block, check)
    this.#watch?.came(block)
    return block
  }

  /** Notifies a watcher of every block that is added or invalidated from now on. */
  watch(watch: ChainWatch): void {
    this.#watch = watch
  }

  /** Adds a block that was mined before and extends the tip. */
  take(bytes: Uint8Array): void {
    const { previousHash, ...made } = deserializeBlock(bytes)
    if (previousHash !== this.tip.hash) throw new Error('a block that does not stand on the tip')
    this.#connect(this.#store(made, this.tip))
  }

  /**
   * As `invalidateblock`: removes the block and all above; their transactions return to the pool.
   */
  invalidate(block: BitcoinBlock): void {
    block.isInvalid = true
    this.#watch?.left(block)
    this.#activate()
  }

  /** As `reconsiderblock`: what was called invalid, above it and below, may be the chain again. */
  reconsider(block: BitcoinBlock): void {
    for (const one of this.#blocks.values()) {
      if (isAncestor(block, one) || isAncestor(one, block)) one.isInvalid = false
    }
    this.#activate()
  }

  #next(): { height: number; time: number } {
    const height = this.tip.height + 1
    const later = this.tip.time + BLOCK_SECONDS
    const usual = height === 1 ? FIRST_SECONDS : later
    return { height, time: this.#now === null ? usual : Math.max(this.#now(), this.tip.time + 1) }
  }

  #subsidy(height: number): bigint {
    return SUBSIDY >> BigInt(Math.floor(height / this.network.halving))
  }

  #feeOf(transaction: BitcoinTransaction, beside: readonly BitcoinTransaction[]): bigint {
    const made = new Map(beside.map((one) => [txidOf(one), one.outputs]))
    const spent = transaction.inputs.map(({ txid, vout }) => {
      return made.get(txid)?.[vout]?.value ?? this.coins.get(`${txid}:${vout}`)?.value ?? 0n
    })
    const paid = transaction.outputs.reduce((sum, { value }) => sum + value, 0n)
    return spent.reduce((sum, value) => sum + value, 0n) - paid
  }

  #store(
    made: Pick<BitcoinBlock, 'hash' | 'header' | 'time' | 'transactions' | 'txids'>,
    previous: BitcoinBlock | null,
  ): BitcoinBlock {
    const height = previous === null ? 0 : previous.height + 1
    const rank = this.#blocks.size
    const block = { ...made, height, previous, undo: [], rank, isInvalid: false }
    this.#blocks.set(block.hash, block)
    return block
  }

  #connect(block: BitcoinBlock, check?: CheckScripts): void {
    try {
      this.coins.connect(block, this.#subsidy(block.height), check)
    } catch (error) {
      this.#blocks.delete(block.hash)
      throw error
    }
    this.#active.push(block)
    this.pool.connect(block.transactions, block.txids)
  }

  /** Makes the longest valid branch the chain; of two as long, the one that was seen first. */
  #activate(): void {
    const best = [...this.#blocks.values()]
      .filter((block) => !isTainted(block))
      .reduce((a, b) => (b.height > a.height || (b.height === a.height && b.rank < a.rank) ? b : a))
    const returned: BitcoinTransaction[] = []
    while (!isAncestor(this.tip, best)) {
      const left = this.#active.pop()
      if (left === undefined) break
      this.coins.disconnect(left)
      returned.unshift(...left.transactions.slice(1))
    }
    const waiting = this.pool.all().map(({ transaction }) => transaction)
    this.pool.clear()
    for (const block of pathTo(best, this.tip)) this.#connect(block)
    for (const transaction of [...returned, ...waiting]) this.#sendAgain(transaction)
  }

  /** A transaction that the pool refuses now is dropped. */
  #sendAgain(transaction: BitcoinTransaction): void {
    try {
      this.send(transaction)
    } catch (error) {
      if (!(error instanceof PoolRefusal)) throw error
    }
  }
}

function firstBlock({ genesis }: BitcoinNetwork) {
  const transaction = deserialize(Buffer.from(GENESIS_TRANSACTION, 'hex'))
  const txids = [txidOf(transaction)]
  const root = merkleRoot(txids.map(hidden))
  const header = headerOf({ version: 1, previousHash: NO_TXID, root, ...genesis })
  const hash = shown(hash256(header))
  return { hash, header, time: genesis.time, transactions: [transaction], txids }
}

function isTainted(block: BitcoinBlock): boolean {
  for (let at: BitcoinBlock | null = block; at !== null; at = at.previous) {
    if (at.isInvalid) return true
  }
  return false
}

/** Returns true if the second block is the first or a descendant of it. */
function isAncestor(below: BitcoinBlock, above: BitcoinBlock): boolean {
  let at: BitcoinBlock | null = above
  while (at !== null && at.height > below.height) at = at.previous
  return at === below
}

/** The blocks above one and up to the other, lowest first. */
function pathTo(best: BitcoinBlock, from: BitcoinBlock): BitcoinBlock[] {
  const path: BitcoinBlock[] = []
  for (let at: BitcoinBlock | null = best; at !== null && at !== from; at = at.previous) {
    path.unshift(at)
  }
  return path
}
