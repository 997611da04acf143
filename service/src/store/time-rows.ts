import { sql } from 'kysely'
import type { Millis } from '../base/clock.ts'
import type { Tx } from './database.ts'

/** What the database's own clock says at this moment, however long the transaction has lasted. */
export async function selectTime(tx: Tx): Promise<Millis> {
  const { now } = await tx.one(sql<{ now: Millis }>`
    select clock_timestamp() as now`)
  return now
}

/**
 * For the rest of the transaction no statement takes longer, in milliseconds, nor waits longer for
 * a lock: it ends with an Outage then.
 */
export async function limitStatements(tx: Tx, ms: Millis): Promise<void> {
  await tx.run(sql`
    select set_config('statement_timeout', ${String(ms)}, true)`)
}
