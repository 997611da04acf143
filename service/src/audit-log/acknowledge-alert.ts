import { type Alert, alertFromRow } from '../alerts/alert.ts'
import { acknowledge } from '../alerts/list-rows.ts'
import { readAlert } from '../alerts/read-alert.ts'
import { isId } from '../base/id.ts'
import type { Tx } from '../store/database.ts'
import { writeAudit } from './write-audit.ts'

/**
 * Records who saw an alert of an organization; the first acknowledgement counts and is written to
 * the audit log. The alert stays open. Refuses with NOT_FOUND.
 */
export async function acknowledgeAlert(
  tx: Tx,
  { orgId, id, userId }: { orgId: string; id: string; userId: string },
): Promise<Alert> {
  const row = isId(id) ? await acknowledge(tx, { orgId, id, userId }) : null
  if (row === null) return readAlert(tx, { orgId, id })
  const details = { alert: row.code, subject: row.subject }
  await writeAudit(tx, {
    orgId,
    actor: `user:${userId}`,
    action: 'alert.acknowledge',
    object: id,
    details,
  })
  return alertFromRow(row)
}
