import type { RowVerifier } from '../accounts/row-mac.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Catalogue } from '../catalogue/find.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { ChainAdapter } from '../chains/chain-adapter.ts'
import type { Address } from '../chains/port.ts'
import type { SpendPoint } from '../transactions/core/crash-points.ts'
import type { SpendFates } from '../transactions/core/fates.ts'
import type { Database } from '../store/database.ts'
import type { Lease } from '../store/lease.ts'
import type { ScannerPoint } from './crash-points.ts'
import type { KnownBalances } from './known-balances.ts'
import type { UnlistedTokens } from './unlisted.ts'

/** What the scanner of one chain works with. */
export interface Watcher {
  database: Database
  /** Checks whose an address is before it is believed. */
  serviceKey: RowVerifier
  adapter: ChainAdapter
  catalogue: Catalogue
  entry: ChainEntry
  clock: Clock
  log: Log
  /** Confirmations that a deposit needs where depth counts. */
  required: number
  /** First height read on a chain never seen before; its head when null. */
  startHeight: number | null
  /** Blocks at most in one commit while catching up. */
  runMax: number
  /** Requests for blocks under way at once while catching up. */
  fetchMax: number
  /** Balances that steps were told which failed; without it each step asks everything anew. */
  known?: KnownBalances
  /** What is read besides the configured tokens; without it each step asks for it anew. */
  unlisted?: UnlistedTokens
  /**
   * Which addresses of the chain may be ours; without it every transfer of a block is kept until
   * the database says whose it is. What it lets through the database is asked about all the same.
   */
  watched?: Watched | undefined
  /** Whom to tell what became of our own transactions, in the commit that shows it. */
  fates: SpendFates
  notice: (notice: ScannerNotice) => void
  /**
   * Hears of each point that a step passes: where a test ends the process, by throwing or for good.
   */
  crash?: (point: StepPoint) => void
}

/** A point of the scanner's steps, those of spends that they track among them. */
export type StepPoint = ScannerPoint | SpendPoint

/** A superset of the watched addresses of a chain, in memory. */
export interface Watched {
  mayWatch(address: Address | Uint8Array): boolean
  /** The same of many addresses, as `BlockScope` has them. */
  mayWatchEach(words: Int32Array): Uint8Array
  /** Whether one of them shows no key when it spends, as far as is known. */
  hidesKeys(): boolean
  /** Resolved once every address that was committed before this call is known. */
  refresh(): Promise<void>
}

/** What the rest of the program may count. */
export type ScannerNotice =
  | { type: 'connected'; chainId: string; blocks: number; deposits: number }
  | { type: 'disconnected'; chainId: string; height: number }
  | { type: 'confirmed'; chainId: string; deposits: number }

/** A watcher in office: every commit it makes is fenced by its lease. */
export interface Holder extends Watcher {
  lease: Lease
}
