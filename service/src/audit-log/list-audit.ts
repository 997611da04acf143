import type { Millis } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import { type AuditPage, selectAuditPage } from './list-rows.ts'

const ENTRIES_MAX = 1_000

export interface AuditEntry {
  /** Increases; gaps are normal. */
  id: number
  at: Millis
  orgId: string | null
  actor: string
  action: string
  object: string
  details: Record<string, unknown>
}

/** Lists the audit log, newest first; of all organizations without `orgId`. */
export async function listAudit(tx: Tx, page: Partial<AuditPage> = {}): Promise<AuditEntry[]> {
  const rows = await selectAuditPage(tx, { limit: ENTRIES_MAX, ...page })
  return rows.map(({ org_id, ...row }) => ({ ...row, orgId: org_id }))
}
