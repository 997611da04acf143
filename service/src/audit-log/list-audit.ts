import type { Millis } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import { selectAudit } from './rows.ts'

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

/** Lists the audit log, newest first, optionally of one organization or one object. */
export async function listAudit(
  tx: Tx,
  filter: { orgId?: string; object?: string; limit?: number } = {},
): Promise<AuditEntry[]> {
  const { orgId = null, object = null, limit = ENTRIES_MAX } = filter
  const rows = await selectAudit(tx, { orgId, object, limit })
  return rows.map(({ org_id, ...row }) => ({ ...row, orgId: org_id }))
}
