import type { Seeded } from '@sluice/simulator'
import type { Family } from '../options.ts'

/** Somebody's payment to an address of the house. */
export interface Payment {
  to: string
  /** The destination tag, where the chain has them. */
  tag: number | null
  tokenId: string
  amount: bigint
}

/** One movement on the chain as it stands in the end, read without any code of the service. */
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

/** A chain of the soak: somebody who pays on it, and a hand that reorganizes it. */
export interface SoakChain {
  readonly id: string
  readonly family: Family
  /** Where its node listens, without the faults. */
  readonly nodeUrl: string
  /** The same by way of a proxy on a port. */
  urlOf(port: number): string
  /** Its part of the configuration, nodes left out. */
  readonly config: Record<string, unknown>
  /** Tokens beside the catalogue's. */
  readonly listed: readonly Record<string, unknown>[]
  readonly tokens: readonly string[]
  /** What is paid in, what is paid out. */
  depositOf(random: Seeded, tokenId: string): bigint
  withdrawalOf(random: Seeded, tokenId: string): bigint
  /** Somebody whom nobody has paid yet, by this number. */
  recipientOf(number: number): Recipient
  /** Pays; what comes of it is known in the end. */
  pay(payments: readonly Payment[]): Promise<void>
  /** What withdrawals need that deposits alone would bring late. */
  fund(own: OwnAddresses): Promise<void>
  /** How far below the head a credited deposit is undone at most; 0 where none ever can be. */
  readonly reach: number
  /**
   * Replaces the highest blocks, and gives how many; null where nothing is ever replaced. From this
   * height on, or where it is null no more than deposits wait for.
   */
  reorg(random: Seeded, from: number | null): Promise<number | null>
  /** Makes blocks by itself until told to stop. */
  run(): void
  /** Lets so many milliseconds pass on the chain at once, where its time is its own. */
  skip?: (ms: number) => Promise<void>
  head(): Promise<{ height: number; hash: string }>
  /** All that has moved on the chain as it stands. */
  movements(): Promise<Movement[]>
  stop(): Promise<void>
}

/** How a chain is started. */
export interface SoakChainOptions {
  seed: string
  /** A real node of Bitcoin; null for the simulated one. */
  bitcoind: string | null
  /** Milliseconds between two blocks, whole seconds for anvil; left out for the chain's own. */
  blockMs?: number
}

/** The house's own addresses on a chain; "" where there is none. */
export interface OwnAddresses {
  settlement: string
  gas: string
}

/** One thing after the other: no block comes amid a payment or a reorg. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  take<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }
}

/** Makes blocks by itself, each in its turn, until it is stopped. */
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

/** A chain that makes no more blocks makes the whole run worth nothing: it ends here. */
function fail(error: unknown): void {
  setImmediate(() => {
    throw error
  })
}
