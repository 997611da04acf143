import { Refusal } from '../base/fault.ts'
import { isId } from '../base/id.ts'
import type { Tx } from '../store/database.ts'
import { type Alert, alertFromRow } from './alert.ts'
import { selectAlert } from './list-rows.ts'

/** An alert of an organization, open or resolved. Refuses with NOT_FOUND. */
export async function readAlert(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<Alert> {
  const row = isId(id) ? await selectAlert(tx, { orgId, id }) : null
  if (row !== null) return alertFromRow(row)
  const says = 'No alert of your organization has this id.'
  throw new Refusal('NOT_FOUND', { id: id.slice(0, 100) }, says)
}
