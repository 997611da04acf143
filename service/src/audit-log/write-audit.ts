import type { Tx } from '../store/database.ts'
import { insertAudits } from './rows.ts'

/** A new entry of the audit log. */
export interface Done {
  /** Null if it concerns the whole installation. */
  orgId: string | null
  /** `user:<id>`, `cli:<name>` or a loop's name. */
  actor: string
  /** `<noun>.<verb>`: `api-key.rotate`. */
  action: string
  /** The id of the changed object. */
  object: string
  /** Never contains a secret. */
  details?: Record<string, unknown>
}

/** Writes an entry in the transaction of the change. The database keeps the log append-only. */
export function writeAudit(tx: Tx, entry: Done): Promise<void> {
  return writeAudits(tx, [entry])
}

/** Writes entries in their order, in one statement. */
export async function writeAudits(tx: Tx, entries: readonly Done[]): Promise<void> {
  if (entries.length === 0) return
  const at = tx.clock.now()
  await insertAudits(
    tx,
    entries.map((entry) => ({ ...entry, at, details: entry.details ?? {} })),
  )
}
