import type { Millis } from '../base/clock.ts'
import type { Database } from '../store/database.ts'
import { deleteAttempts } from './event-rows.ts'

/** The rows that one transaction deletes. */
const BATCH_MAX = 5_000

/**
 * Deletes attempts that ended before a time, in small steps; events and their states remain.
 * Returns the number of attempts. Any number of processes may run it concurrently.
 */
export async function purgeAttempts(
  database: Database,
  { before }: { before: Millis },
): Promise<number> {
  let all = 0
  for (let deleted = BATCH_MAX; deleted === BATCH_MAX; all += deleted)
    deleted = await database.transaction((tx) => deleteAttempts(tx, { before, limit: BATCH_MAX }))
  return all
}
