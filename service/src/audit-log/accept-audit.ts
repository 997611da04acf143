import { Refusal } from '../base/fault.ts'
import { AS_OWNER } from '../store/as-owner.ts'
import { inTransaction, withSession } from '../store/connection.ts'
import type { Database, Tx } from '../store/database.ts'
import { AUDIT_BROKEN, footingDetails } from './audit-footing.ts'
import { type AuditHead, NOTHING_SEALED, formatHead } from './audit-head.ts'
import { raiseAlert, resolveAlert } from '../alerts/raise-alert.ts'
import { type AlertRow, selectLastAlert } from '../alerts/rows.ts'
import { readAuditHead } from './seal-audit.ts'
import { deleteLost, insertWaiting } from './seal-rows.ts'
import { type HaltKey, liftHalt } from './signing-halt.ts'
import { verifyAudit } from './verify-audit.ts'
import { writeAudit } from './write-audit.ts'

/** The result of `acceptAudit`. */
export interface Acceptance {
  /** The last seal, which the log must contain from now on. */
  head: AuditHead
  /** The message of the alert that was accepted. */
  found: string
  /** Number of unsealed entries that will be sealed. */
  put: number
  /** Number of deleted entries that the sealer no longer expects. */
  dropped: number
}

/**
 * Accepts the current audit log on an operator's order, closes `audit_log.broken` and writes this
 * to the log. The alert is raised once more with the operator and the reason, so that they are
 * shipped with the log lines. If the chain of seals is broken, later verifications start after it.
 * Refuses with BAD_REQUEST if the alert is not open.
 */
export async function acceptAudit(
  database: Database,
  serviceKey: HaltKey,
  { ownerUrl, actor, reason }: { ownerUrl: string; actor: string; reason: string },
): Promise<Acceptance> {
  await database.transaction(openAlert)
  const { wrong } = await verifyAudit(database)
  const holds = wrong === null || wrong.sequence === null
  const { put, dropped } = await mendWaiting(ownerUrl)
  return database.transaction(async (tx) => {
    const { message: found } = await openAlert(tx)
    const head = await readAuditHead(tx)
    const details = footingDetails({ known: head, from: holds ? NOTHING_SEALED : head })
    const message = `${actor} accepted the audit log up to ${formatHead(head)}: ${reason}`
    await raiseAlert(tx, { ...AUDIT_BROKEN, message, details: { ...details, found } })
    await resolveAlert(tx, AUDIT_BROKEN)
    await liftHalt(tx, serviceKey, AUDIT_BROKEN)
    const entry = { orgId: null, actor, action: 'audit-log.accept', object: AUDIT_BROKEN.subject }
    const accepted = { reason, head: formatHead(head), found, put, dropped }
    await writeAudit(tx, { ...entry, details: accepted })
    return { head, found, put, dropped }
  })
}

async function openAlert(tx: Tx): Promise<AlertRow> {
  const last = await selectLastAlert(tx, AUDIT_BROKEN)
  if (last !== null && last.resolved_at === null) return last
  const says = 'No alert audit_log.broken is open. Run `sluice audit-log verify`.'
  throw new Refusal('BAD_REQUEST', { alert: AUDIT_BROKEN.code }, says)
}

/** Needs the owner's login: the service's roles cannot mark an entry as unsealed. */
function mendWaiting(ownerUrl: string): Promise<{ put: number; dropped: number }> {
  return withSession(ownerUrl, (session) =>
    inTransaction(session, async () => {
      await session.script(AS_OWNER)
      return { put: await insertWaiting(session), dropped: await deleteLost(session) }
    }),
  )
}
