import type { Tx } from '../store/database.ts'
import { insertAudit } from './rows.ts'

/**
 * Writes down who did what, in the commit of what was done. The log can only grow: the database
 * refuses to change or delete its rows.
 */
export async function writeAudit(
  tx: Tx,
  given: {
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
  },
): Promise<void> {
  await insertAudit(tx, { ...given, at: tx.clock.now(), details: given.details ?? {} })
}
