import type { Millis } from '../base/clock.ts'
import type { Database } from '../store/database.ts'
import { takeBackAhead } from './delivery-rows.ts'
import { DELIVERER_LIMITS } from './limits.ts'
import { WAIT_MAX_MS } from './schedule.ts'

/** So many rows one transaction changes. */
const BATCH_MAX = 5_000
/** Clocks of processes may be apart by seconds, which delay a delivery by no more. */
const SKEW_MS: Millis = 60_000

/**
 * Makes due at once what a clock that was ahead has put off, and frees what was leased by it: once
 * the clock is right these would wait until the time that it had shown. How many those were. Any
 * number of processes may do it at once.
 */
export async function bringForward(database: Database): Promise<number> {
  const { leaseMs } = DELIVERER_LIMITS
  const beyond = { toldMs: SKEW_MS, dueMs: 2 * WAIT_MAX_MS, leasedMs: 2 * leaseMs }
  let all = 0
  for (let moved = BATCH_MAX; moved === BATCH_MAX; all += moved)
    moved = await database.transaction((tx) => takeBackAhead(tx, { beyond, limit: BATCH_MAX }))
  return all
}
