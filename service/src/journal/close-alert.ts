import { Refusal } from '../base/fault.ts'
import type { Tx } from '../store/database.ts'
import { type Alert, ENDED_BY, alertFromRow } from './alert.ts'
import { closeAlert } from './rows.ts'
import { type HaltKey, haltOf, liftHalt } from './signing-halt.ts'
import { writeAudit } from './write-audit.ts'

/**
 * Closes an open alert on an operator's word; audit-logged. What the service watches by itself is
 * told anew where its cause still stands; a difference of the ledger only when it becomes another,
 * and payments that it kept back go on. Refuses with NOT_FOUND where no such alert is open, and
 * with BAD_REQUEST where only a command of its own ends what it tells of. `isGone` says that the
 * installation no longer has what it is about, so that no such command is left.
 */
export async function closeByOperator(
  tx: Tx,
  given: {
    code: string
    subject: string
    actor: string
    reason: string
    isGone?: boolean
    /** Called if the alert halted signing, which only the service key lets go on. */
    openKey: () => HaltKey
  },
): Promise<Alert> {
  const { code, subject, actor, reason, isGone = false } = given
  if (!isGone) refuseUnended(code, subject)
  const row = await closeAlert(tx, { code, subject })
  if (row === null) {
    const says = `No alert ${code} is open for ${subject}: sluice alert list`
    throw new Refusal('NOT_FOUND', { alert: code, subject }, says)
  }
  const halt = haltOf({ code, subject })
  if (halt !== null) await liftHalt(tx, given.openKey(), halt)
  const { message, times } = row
  const details = { alert: code, message, times, reason }
  await writeAudit(tx, { orgId: null, actor, action: 'alert.close', object: subject, details })
  return alertFromRow(row)
}

function refuseUnended(code: string, subject: string): void {
  const command = new Map<string, string>(Object.entries(ENDED_BY)).get(code)
  if (command === undefined) return
  const says = `${code} is closed by \`${command}\`, which ends its cause.`
  throw new Refusal('BAD_REQUEST', { alert: code, subject }, says)
}
