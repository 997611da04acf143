import type { Tx } from '../store/database.ts'
import { insertAudits } from './rows.ts'

/** What is written down of something that was done. */
export interface Done {
  /** Null for what concerns the whole installation. */
  orgId: string | null
  /** `user:<id>`, `cli:<name>` or a loop's name. */
  actor: string
  /** What was done, as `<noun>.<verb>`: `api-key.rotate`. */
  action: string
  /** The id of what it was done to. */
  object: string
  /** What else helps to understand it; never a secret. */
  details?: Record<string, unknown>
}

/**
 * Writes down who did what, in the commit of what was done. The log can only grow: the database
 * refuses to change or delete its rows.
 */
export function writeAudit(tx: Tx, given: Done): Promise<void> {
  return writeAudits(tx, [given])
}

/** As `writeAudit`, of many at once: one statement, in their order. */
export async function writeAudits(tx: Tx, given: readonly Done[]): Promise<void> {
  if (given.length === 0) return
  const at = tx.clock.now()
  await insertAudits(
    tx,
    given.map((one) => ({ ...one, at, details: one.details ?? {} })),
  )
}
