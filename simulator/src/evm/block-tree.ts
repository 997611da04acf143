import type { Hex } from '../hex.ts'
import type { PendingTransaction } from './pending.ts'
import type { CallFrameJson, HeaderJson, MinedReceiptJson, MinedTransactionJson } from './shapes.ts'

export interface IncludedTransaction {
  origin: PendingTransaction
  json: MinedTransactionJson
  receipt: MinedReceiptJson
  trace: CallFrameJson
}

export interface BlockNode {
  readonly height: number
  readonly hash: Hex
  readonly parent: BlockNode | null
  readonly header: HeaderJson
  readonly transactions: readonly IncludedTransaction[]
  /** Balances that this block changed, as they are after it. */
  readonly writes: ReadonlyMap<string, bigint>
}

/** All blocks ever made, which of them are the chain now, and what accounts hold at each. */
export class BlockTree {
  readonly #blocks = new Map<Hex, BlockNode>()
  readonly #chain: BlockNode[] = []
  /** For each balance its values along the chain, lowest block first. */
  readonly #history = new Map<string, { height: number; value: bigint }[]>()
  readonly #included = new Map<Hex, { block: BlockNode; index: number }>()
  readonly #nonces = new Set<string>()
  readonly #counts = new Map<string, number>()
  readonly #initial: (key: string) => bigint

  /** `initial` returns the balance of an account that no block has changed. */
  constructor(genesis: BlockNode, initial: (key: string) => bigint) {
    this.#initial = initial
    this.#connect(genesis)
  }

  get head(): BlockNode {
    const head = this.#chain.at(-1)
    if (head === undefined) throw new Error('a chain has its genesis at least')
    return head
  }

  /** The chain's block at that height; undefined above the head. */
  at(height: number): BlockNode | undefined {
    return height < 0 ? undefined : this.#chain[height]
  }

  /** Any block ever made, on the chain or orphaned. */
  find(hash: string): BlockNode | undefined {
    for (const spelled of [hash, hash.toLowerCase()]) {
      const block = this.#blocks.get(`0x${spelled.slice(2)}`)
      if (block !== undefined) return block
    }
    return undefined
  }

  isOnChain(block: BlockNode): boolean {
    return this.#chain[block.height] === block
  }

  /** Block and index of a transaction on the chain. */
  placeOf(hash: string): { block: BlockNode; index: number } | undefined {
    return this.#included.get(`0x${hash.slice(2).toLowerCase()}`)
  }

  /** Whether the chain has a transaction of that sender and nonce. */
  isSpent({ json }: PendingTransaction): boolean {
    return this.#nonces.has(nonceKey(json))
  }

  /** How many transactions of the sender the chain has: its next nonce. */
  countOf(sender: string): number {
    return this.#counts.get(sender) ?? 0
  }

  /** The balance after a block, orphaned or not. */
  balance(key: string, block: BlockNode = this.head): bigint {
    let at: BlockNode | null = block
    for (; at !== null && !this.isOnChain(at); at = at.parent) {
      const written = at.writes.get(key)
      if (written !== undefined) return written
    }
    const height = at?.height ?? 0
    return valueAt(this.#history.get(key) ?? [], height) ?? this.#initial(key)
  }

  /** Puts a new block on the head. */
  append(block: BlockNode): void {
    if (block.parent !== this.head) throw new Error('a new block must extend the head')
    this.#connect(block)
  }

  /** Makes a block of the tree the head; returns the orphaned blocks, lowest first. */
  setHead(head: BlockNode): BlockNode[] {
    const branch: BlockNode[] = []
    let fork: BlockNode | null = head
    for (; fork !== null && !this.isOnChain(fork); fork = fork.parent) branch.unshift(fork)
    const orphaned: BlockNode[] = []
    while (this.head !== fork) orphaned.unshift(this.#disconnect())
    for (const block of branch) this.#connect(block)
    return orphaned
  }

  #connect(block: BlockNode): void {
    this.#blocks.set(block.hash, block)
    this.#chain.push(block)
    for (const [index, { json }] of block.transactions.entries()) {
      this.#included.set(json.hash, { block, index })
      this.#nonces.add(nonceKey(json))
      this.#counts.set(json.from, this.countOf(json.from) + 1)
    }
    for (const [key, value] of block.writes) {
      const values = this.#history.get(key)
      if (values === undefined) this.#history.set(key, [{ height: block.height, value }])
      else values.push({ height: block.height, value })
    }
  }

  #disconnect(): BlockNode {
    const block = this.head
    for (const { json } of block.transactions) {
      this.#included.delete(json.hash)
      this.#nonces.delete(nonceKey(json))
      this.#counts.set(json.from, this.countOf(json.from) - 1)
    }
    for (const key of block.writes.keys()) this.#history.get(key)?.pop()
    this.#chain.pop()
    return block
  }
}

function nonceKey({ from, nonce }: { from: Hex; nonce: Hex }): string {
  return `${from}:${nonce}`
}

/** The last value at or below the height; undefined if there is no value. */
function valueAt(
  values: readonly { height: number; value: bigint }[],
  height: number,
): bigint | undefined {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((values[middle]?.height ?? 0) <= height) low = middle + 1
    else high = middle
  }
  return values[low - 1]?.value
}
