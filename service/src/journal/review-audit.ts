import type { Database, Tx } from '../store/database.ts'
import { type Lease, assertLease } from '../store/lease.ts'
import { describeBreak } from './audit-break.ts'
import { AUDIT_BROKEN, type AuditFooting, footingDetails, readFooting } from './audit-footing.ts'
import { raiseAlert, resolveAlert } from './raise-alert.ts'
import { type HaltKey, haltSigning, liftHalt } from './signing-halt.ts'
import { type AuditVerdict, verifyAudit } from './verify-audit.ts'

/**
 * Verifies the audit log, and raises or closes the alert `audit_log.broken`. `last` is what the
 * time before answered with; null for the first, which goes by the last alert. Answers with what is
 * known now; null where it came to nothing, because it was told to stop, or because an operator
 * accepted the log meanwhile. Throws LeaseLost, and then has told nothing.
 */
export async function reviewAudit(
  database: Database,
  serviceKey: HaltKey,
  given: { lease: Lease; last: AuditFooting | null; signal: AbortSignal },
): Promise<AuditFooting | null> {
  const { lease, last, signal } = given
  const before = await database.transaction((tx) => footingAfter(tx, last))
  const { known, from } = before
  const verdict = await verifyAudit(database, { heads: [known], from, signal })
  if (signal.aborted) return null
  return database.transaction(async (tx) => {
    await assertLease(tx, lease)
    const { open } = await readFooting(tx)
    return before.open && !open ? null : tell(tx, serviceKey, { before, verdict })
  })
}

/**
 * What is in memory is out of reach of whoever writes the database, and is believed before the
 * alert is: but where it was told that the log is broken, and that is closed now, an operator has
 * accepted it. So nobody silences what has not been told, and shipped with the log lines, before.
 */
async function footingAfter(tx: Tx, last: AuditFooting | null): Promise<AuditFooting> {
  const stored = await readFooting(tx)
  if (last === null || (last.open && !stored.open)) return stored
  return { ...last, open: stored.open }
}

async function tell(
  tx: Tx,
  serviceKey: HaltKey,
  given: { before: AuditFooting; verdict: AuditVerdict },
): Promise<AuditFooting> {
  const { before, verdict } = given
  const { head, wrong } = verdict
  if (wrong === null) {
    await resolveAlert(tx, AUDIT_BROKEN)
    await liftHalt(tx, serviceKey, AUDIT_BROKEN)
    return { ...before, known: head, open: false }
  }
  const details = footingDetails(before)
  await raiseAlert(tx, { ...AUDIT_BROKEN, message: describeBreak(wrong), details })
  await haltSigning(tx, serviceKey, AUDIT_BROKEN)
  return { ...before, open: true }
}
