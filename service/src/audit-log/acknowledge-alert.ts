import { type Alert, alertFromRow } from '../alerts/alert.ts'
import { acknowledge, selectAlert } from '../alerts/list-rows.ts'
import { isId } from '../base/id.ts'
import { Refusal } from '../base/fault.ts'
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
  if (!isId(id)) throw unknown(id)
  const row = await acknowledge(tx, { orgId, id, userId })
  if (row === null) {
    const known = await selectAlert(tx, { orgId, id })
    if (known === null) throw unknown(id)
    return alertFromRow(known)
  }
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

function unknown(id: string): Refusal {
  return new Refusal('NOT_FOUND', { id }, `No alert of your organization has the id ${id}.`)
}
