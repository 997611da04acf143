import type { Database, Tx } from '../store/database.ts'
import { type Lease, assertLease } from '../store/lease.ts'
import { describeBreak } from './audit-break.ts'
import { AUDIT_BROKEN, type AuditFooting, footingDetails, readFooting } from './audit-footing.ts'
import { raiseAlert, resolveAlert } from '../alerts/raise-alert.ts'
import { type HaltKey, haltSigning, liftHalt } from './signing-halt.ts'
import { type AuditVerdict, verifyAudit } from './verify-audit.ts'

/**
 * Verifies the audit log and raises or resolves `audit_log.broken`. `last` is the result of the
 * previous call; null in the first call, which starts from the last alert. Returns null if it was
 * aborted, or if an operator accepted the log meanwhile. Throws LeaseLost without any change.
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
    return before.open && !open ? null : report(tx, serviceKey, { before, verdict })
  })
}

/**
 * Prefers the footing in memory, which an attacker with access to the database cannot change. If
 * the alert was open and is closed now, an operator accepted the log: the stored footing counts.
 */
async function footingAfter(tx: Tx, last: AuditFooting | null): Promise<AuditFooting> {
  const stored = await readFooting(tx)
  if (last === null || (last.open && !stored.open)) return stored
  return { ...last, open: stored.open }
}

async function report(
  tx: Tx,
  serviceKey: HaltKey,
  { before, verdict: { head, wrong } }: { before: AuditFooting; verdict: AuditVerdict },
): Promise<AuditFooting> {
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
