import { Refusal } from '../base/fault.ts'
import type { Tx } from '../store/database.ts'
import { type Alert, ENDED_BY, alertFromRow } from '../alerts/alert.ts'
import { closeAlert } from '../alerts/rows.ts'
import { type HaltKey, haltOf, liftHalt } from './signing-halt.ts'
import { writeAudit } from './write-audit.ts'

/**
 * Closes an open alert on an operator's order and writes that to the audit log. The service raises
 * it again if its cause remains; `ledger.difference` only if the difference changes, and payments
 * that it stopped continue. Refuses with NOT_FOUND if no such alert is open, and with BAD_REQUEST
 * if another command ends the cause, unless the subject is no longer configured (`isGone`).
 */
export async function closeByOperator(
  tx: Tx,
  {
    code,
    subject,
    actor,
    reason,
    isGone = false,
    openKey,
  }: {
    code: string
    subject: string
    actor: string
    reason: string
    isGone?: boolean
    /** Called if the alert halted signing; lifting the halt needs the service key. */
    openKey: () => HaltKey
  },
): Promise<Alert> {
  if (!isGone) refuseUnended(code, subject)
  const row = await closeAlert(tx, { code, subject })
  if (row === null) {
    const says = `No alert ${code} is open for ${subject}. Run \`sluice alert list\`.`
    throw new Refusal('NOT_FOUND', { alert: code, subject }, says)
  }
  const halt = haltOf({ code, subject })
  if (halt !== null) await liftHalt(tx, openKey(), halt)
  const { message, times } = row
  const details = { alert: code, message, times, reason }
  await writeAudit(tx, { orgId: null, actor, action: 'alert.close', object: subject, details })
  return alertFromRow(row)
}

function refuseUnended(code: string, subject: string): void {
  const command = new Map<string, string>(Object.entries(ENDED_BY)).get(code)
  if (command === undefined) return
  const says = `${code} cannot be closed manually. Run \`${command}\`, which ends its cause.`
  throw new Refusal('BAD_REQUEST', { alert: code, subject }, says)
}
