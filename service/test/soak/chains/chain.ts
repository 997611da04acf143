import type { Seeded } from '@sluice/simulator'
import type { Family } from '../options.ts'

/** A payment to an address of the service. */
export interface Payment {
  to: string
  /** The destination tag, on chains that have tags. */
  tag: number | null
  tokenId: string
  amount: bigint
}

/** One movement on the final chain, read without code of the service. */
export interface Movement {
  txnHash: string
  from: string
  to: string
  tag: string | null
  tokenId: string
  amount: bigint
}

export interface Recipient {
  recipient: string
  memo: string | null
}

/** A chain of the soak, which makes payments and reorgs. */
export interface SoakChain {
  readonly id: string
  readonly family: Family
  /** The URL of its node, without the faults. */
  readonly nodeUrl: string
  /** The same through a proxy on a port. */
  urlOf(port: number): string
  /** Its part of the configuration, without nodes. */
  readonly config: Record<string, unknown>
  /** Tokens beside the catalogue's. */
  readonly listed: readonly Record<string, unknown>[]
  readonly tokens: readonly string[]
  /** Random amounts of deposits and withdrawals. */
  depositOf(random: Seeded, tokenId: string): bigint
  withdrawalOf(random: Seeded, tokenId: string): bigint
  /** An unpaid recipient, by this number. */
  recipientOf(number: number): Recipient
  /** Broadcasts payments; their result is read at the end. */
  pay(payments: readonly Payment[]): Promise<void>
  /** Funds that withdrawals need before deposits are swept. */
  fund(own: OwnAddresses): Promise<void>
  /** The deepest reorg of a credited deposit, below the head; 0 without reorgs. */
  readonly reach: number
  /**
   * Replaces the highest blocks and returns their number; null on a chain without reorgs. Replaces
   * from this height on, or, if null, at most as many blocks as deposits wait for.
   */
  reorg(random: Seeded, from: number | null): Promise<number | null>
  /** Makes blocks until stopped. */
  run(): void
  /** Advances the chain's clock by milliseconds at once, if it has its own clock. */
  skip?: (ms: number) => Promise<void>
  head(): Promise<{ height: number; hash: string }>
  /** All movements on the current chain. */
  movements(): Promise<Movement[]>
  stop(): Promise<void>
}

/** Options of a chain. */
export interface SoakChainOptions {
  seed: string
  /** A real node of Bitcoin; null for the simulated one. */
  bitcoind: string | null
  /** Milliseconds between two blocks, whole seconds for anvil; left out for the chain's own. */
  blockMs?: number
}

/** The platform addresses on a chain; "" if missing. */
export interface OwnAddresses {
  settlement: string
  gas: string
}

/** Runs tasks one after the other: no block comes during a payment or a reorg. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  take<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }
}

/** Makes blocks, each in its turn, until stopped. */
export class BlockMaker {
  readonly #make: () => void
  readonly #everyMs: number
  #ticking: NodeJS.Timeout | undefined

  constructor(turns: Turns, everyMs: number, make: () => Promise<unknown>) {
    this.#make = () => void turns.take(make).catch(fail)
    this.#everyMs = everyMs
  }

  run(): void {
    this.#ticking = setInterval(this.#make, this.#everyMs)
  }

  stop(): void {
    clearInterval(this.#ticking)
  }
}

/** A chain without new blocks makes the run useless: it ends here. */
function fail(error: unknown): void {
  setImmediate(() => {
    throw error
  })
}
