import type { Comparison, Skipped, Verdict } from './measure.ts'

/** How large the benchmarks are run; `--smoke` shrinks everything to seconds. */
export interface Sizes {
  rounds: number
  /** Blocks of a catch-up. */
  blocks: number
  /** Blocks that slow peers are given. */
  peerBlocks: number
  watched: number
  /** Watched addresses of benchmark 2, many and few. */
  watchedMany: number
  watchedFew: number
  /** Addresses added while benchmark 2 scans. */
  watchedAdded: number
  /** Blocks of benchmark 4. */
  liveBlocks: number
  deliveries: number
  /** Deposit addresses asked for in benchmark 6, a round. */
  addresses: number
  /** Withdrawals created in benchmark 7, a round. */
  withdrawals: number
  /** Withdrawals brought to their end in benchmark 9, and deposits swept, a round. */
  payouts: number
  sweeps: number
  /** Accounts of the list of benchmark 10. */
  listed: number
  /** Blocks of benchmark 3, and coins of benchmark 11. */
  coinBlocks: number
  coins: number
  /** Ledgers of benchmark 12. */
  ledgers: number
  /** Blocks of benchmark 13. */
  tronBlocks: number
  /** Starts of each command of benchmark 14. */
  starts: number
  /** Seconds that benchmark 0 watches. */
  idleSeconds: number
  /** The folder of the service's CPU profiles; without it none are written. */
  profile: string | undefined
}

/** The result of one benchmark. */
export interface Report {
  number: number
  title: string
  sizes: Record<string, number>
  comparison: Comparison
  verdicts: Verdict[]
  skipped: Skipped[]
}
