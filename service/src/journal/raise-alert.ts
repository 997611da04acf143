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
 * Tells an operator something, in the commit of what it tells of. While an alert of the same code
 * and subject is open it is counted once more instead, with the newest message, and the newest
 * details alone unless they are to be added to those it has. The log line and the metric come from
 * the watch, so that every process's alerts have both.
 */
export async function raiseAlert(
  tx: Tx,
  given: {
    code: AlertCode
    /** What it is about: a chain id, a token id, a deposit's id. */
    subject: string
    message: string
    details?: Record<string, unknown>
    /** Whether details that it has already, under other names, stay. */
    adds?: boolean
  },
): Promise<Alert> {
  const { code, subject, message, details = {}, adds = false } = given
  return alertFromRow(await upsertAlert(tx, { code, subject, message, details, adds }))
}

/** Raises it unless it is open with the same message: what lasts is told once. */
export async function raiseIfNews(
  tx: Tx,
  given: Omit<Parameters<typeof raiseAlert>[1], 'adds'>,
): Promise<void> {
  const told = await readOpenAlert(tx, { code: given.code, subject: given.subject })
  if (told?.message !== given.message) await raiseAlert(tx, given)
}

/** Closes the open alert of this code and subject. False where none was open. */
export async function resolveAlert(
  tx: Tx,
  given: { code: AlertCode; subject: string },
): Promise<boolean> {
  return (await closeAlert(tx, given)) !== null
}

/** Closes those of a code that are open for any of these subjects. */
export async function resolveAlerts(
  tx: Tx,
  given: { code: AlertCode; subjects: readonly string[] },
): Promise<void> {
  if (given.subjects.length > 0) await closeAlerts(tx, given)
}

/** Whether it is told of this subject, and not closed. */
export async function isAlertOpen(
  tx: Tx,
  given: { code: AlertCode; subject: string },
): Promise<boolean> {
  return selectIsOpen(tx, given)
}

/** The open one; null where none is. With `locks` it stays as it is until the commit. */
export async function readOpenAlert(
  tx: Tx,
  { locks = false, ...given }: { code: AlertCode; subject: string; locks?: boolean },
): Promise<Alert | null> {
  const row = locks ? await lockOpenAlert(tx, given) : await selectOpenAlert(tx, given)
  return row === null ? null : alertFromRow(row)
}

/** The subjects for which an alert of this code is open. */
export async function openSubjects(tx: Tx, code: AlertCode): Promise<string[]> {
  return selectOpenSubjects(tx, code)
}
