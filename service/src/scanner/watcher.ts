import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Catalogue } from '../catalogue/find.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { ChainAdapter } from '../chains/port.ts'
import type { Database } from '../store/database.ts'
import type { Lease } from '../store/lease.ts'
import type { ScannerPoint } from './crash-points.ts'

/** What the scanner of one chain works with. */
export interface Watcher {
  database: Database
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
  notice: (notice: ScannerNotice) => void
  /**
   * Hears of each point that a step passes: where a test ends the process, by throwing or for good.
   */
  crash?: (point: ScannerPoint) => void
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
