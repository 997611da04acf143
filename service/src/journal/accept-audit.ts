import { Refusal } from '../base/fault.ts'
import { AS_OWNER } from '../store/as-owner.ts'
import { inTransaction, withSession } from '../store/connection.ts'
import type { Database, Tx } from '../store/database.ts'
import { AUDIT_BROKEN, footingDetails } from './audit-footing.ts'
import { type AuditHead, NOTHING_SEALED, formatHead } from './audit-head.ts'
import { raiseAlert, resolveAlert } from './raise-alert.ts'
import { type AlertRow, selectLastAlert } from './rows.ts'
import { readAuditHead } from './seal-audit.ts'
import { deleteLost, insertWaiting } from './seal-rows.ts'
import { type HaltKey, liftHalt } from './signing-halt.ts'
import { verifyAudit } from './verify-audit.ts'
import { writeAudit } from './write-audit.ts'

/** What an operator accepted. */
export interface Acceptance {
  /** The last seal then, which the log must have from now on. */
  head: AuditHead
  /** What was told to be wrong. */
  found: string
  /** Entries without a seal that will get one. */
  put: number
  /** Entries that were gone and are waited for no more. */
  dropped: number
}

/**
 * Closes the alert that the audit log is broken, on an operator's word, and takes the log as it
 * stands for what has been written; audit-logged. The alert is raised once more with who did so and
 * why, so that it leaves the machine with the log lines. Where the log does not hold in itself, the
 * service verifies from here on what comes after. Refuses with BAD_REQUEST where no such alert is
 * open: what nobody was told cannot be accepted.
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
    const told = { reason, head: formatHead(head), found, put, dropped }
    await writeAudit(tx, { ...entry, details: told })
    return { head, found, put, dropped }
  })
}

async function openAlert(tx: Tx): Promise<AlertRow> {
  const last = await selectLastAlert(tx, AUDIT_BROKEN)
  if (last !== null && last.resolved_at === null) return last
  const says = 'No alert says that the audit log is broken: sluice audit-log verify'
  throw new Refusal('BAD_REQUEST', { alert: AUDIT_BROKEN.code }, says)
}

/** No role of the running service may make an entry wait for its seal. */
function mendWaiting(ownerUrl: string): Promise<{ put: number; dropped: number }> {
  return withSession(ownerUrl, (session) =>
    inTransaction(session, async () => {
      await session.script(AS_OWNER)
      return { put: await insertWaiting(session), dropped: await deleteLost(session) }
    }),
  )
}
