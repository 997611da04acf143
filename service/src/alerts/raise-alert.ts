import type { Tx } from '../store/database.ts'
import { alertFromRow } from './alert.ts'
import type { Alert, AlertCode } from './alert.ts'
import {
  closeAlert,
  closeAlerts,
  lockOpenAlert,
  selectIsOpen,
  selectOpenAlert,
  selectOpenSubjects,
  upsertAlert,
} from './rows.ts'

/**
 * Raises an alert in the transaction of its cause. If one is open for the code and subject, its
 * count, message and details are updated (`adds` merges the details). Log line and metric come from
 * the alert watch.
 */
export async function raiseAlert(
  tx: Tx,
  given: {
    code: AlertCode
    /** A chain id, a token id, a deposit id. */
    subject: string
    message: string
    details?: Record<string, unknown>
    /** Whether existing details with other keys are kept. */
    adds?: boolean
    /** The organization that may see it; null (the default) if it is the installation's. */
    orgId?: string | null
  },
): Promise<Alert> {
  const { code, subject, message, details = {}, adds = false, orgId = null } = given
  return alertFromRow(await upsertAlert(tx, { code, subject, message, details, adds, orgId }))
}

/** Raises an alert unless it is open with the same message. */
export async function raiseIfNews(
  tx: Tx,
  alert: Omit<Parameters<typeof raiseAlert>[1], 'adds'>,
): Promise<void> {
  const open = await readOpenAlert(tx, { code: alert.code, subject: alert.subject })
  if (open?.message !== alert.message) await raiseAlert(tx, alert)
}

/** Resolves the open alert. Returns false if it was not open. */
export async function resolveAlert(
  tx: Tx,
  given: { code: AlertCode; subject: string },
): Promise<boolean> {
  return (await closeAlert(tx, given)) !== null
}

/** Resolves the open alerts of a code for these subjects. */
export async function resolveAlerts(
  tx: Tx,
  given: { code: AlertCode; subjects: readonly string[] },
): Promise<void> {
  if (given.subjects.length > 0) await closeAlerts(tx, given)
}

export async function isAlertOpen(
  tx: Tx,
  given: { code: AlertCode; subject: string },
): Promise<boolean> {
  return selectIsOpen(tx, given)
}

/** The open alert, or null; `locks` locks its row until the commit. */
export async function readOpenAlert(
  tx: Tx,
  { locks = false, ...given }: { code: AlertCode; subject: string; locks?: boolean },
): Promise<Alert | null> {
  const row = locks ? await lockOpenAlert(tx, given) : await selectOpenAlert(tx, given)
  return row === null ? null : alertFromRow(row)
}

/** Subjects with an open alert of this code. */
export async function openSubjects(tx: Tx, code: AlertCode): Promise<string[]> {
  return selectOpenSubjects(tx, code)
}
