import type { RowVerifier } from '../accounts/row-mac.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Catalogue } from '../catalogue/find.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { ChainAdapter } from '../chains/chain-adapter.ts'
import type { Address } from '../chains/port.ts'
import type { SpendPoint } from '../transactions/core/crash-points.ts'
import type { HooksByPurpose } from '../transactions/core/hooks.ts'
import type { Database } from '../store/database.ts'
import type { Lease } from '../store/lease.ts'
import type { ScannerPoint } from './crash-points.ts'
import type { KnownBalances } from './known-balances.ts'
import type { Rest } from './rest.ts'
import type { UnlistedTokens } from './unlisted.ts'

/** Dependencies of the scanner of one chain. */
export interface Watcher {
  database: Database
  /** Verifies the rows of addresses. */
  serviceKey: RowVerifier
  adapter: ChainAdapter
  catalogue: Catalogue
  entry: ChainEntry
  clock: Clock
  log: Log
  /** Confirmations of a deposit if the rule is depth. */
  required: number
  /** First height of a new chain; null: its head. */
  startHeight: number | null
  /** Blocks in one commit of a catch-up at most. */
  runMax: number
  /** Concurrent requests for blocks in a catch-up. */
  fetchMax: number
  /** Balances known from failed steps; without it each step queries all again. */
  known?: KnownBalances
  /** Whether the chain rests; without it each step reads the database. */
  rest?: Rest
  /** Tokens read in addition to the configured ones; without it each step queries them. */
  unlisted?: UnlistedTokens
  /**
   * Filter of the addresses of the chain; without it every transfer is kept until the database is
   * queried. Addresses that pass are queried in the database too.
   */
  watched?: Watched | undefined
  /** Hooks of our own transactions, called in the commit that records their result. */
  hooks: HooksByPurpose
  notice: (notice: ScannerNotice) => void
  /** Called at each crash point of a step; tests end the process there. */
  crash?: (point: StepPoint) => void
}

/** A crash point of the scanner or of the spends that it tracks. */
export type StepPoint = ScannerPoint | SpendPoint

/** A superset of the watched addresses of a chain, in memory. */
export interface Watched {
  mayWatch(address: Address | Uint8Array): boolean
  /** The same for many addresses, as in `BlockScope`. */
  mayWatchEach(words: Int32Array): Uint8Array
  /** Whether a known one hides its key when it spends. */
  hidesKeys(): boolean
  /** Resolved once every address that was committed before this call is known. */
  refresh(): Promise<void>
}

/** Counters for the rest of the program. */
export type ScannerNotice =
  /** Bare: its commit emitted no event. */
  | { type: 'connected'; chainId: string; blocks: number; deposits: number; isBare: boolean }
  | { type: 'disconnected'; chainId: string; height: number }
  | { type: 'confirmed'; chainId: string; deposits: number }

/** The lease holder: its lease fences every commit. */
export interface Holder extends Watcher {
  lease: Lease
}
