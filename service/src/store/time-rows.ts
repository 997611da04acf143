import { sql } from 'kysely'
import type { Millis } from '../base/clock.ts'
import type { Tx } from './database.ts'

/** The current time of the database, not the start of the transaction. */
export async function selectTime(tx: Tx): Promise<Millis> {
  const { now } = await tx.one(sql<{ now: Millis }>`
    select clock_timestamp() as now`)
  return now
}

/** Limits each later statement of the transaction, locks included; then it fails with an Outage. */
export async function limitStatements(tx: Tx, ms: Millis): Promise<void> {
  await tx.run(sql`
    select set_config('statement_timeout', ${String(ms)}, true)`)
}
