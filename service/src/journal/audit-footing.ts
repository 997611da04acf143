import type { Tx } from '../store/database.ts'
import type { AlertCode } from './alert.ts'
import { type AuditHead, NOTHING_SEALED, formatHead, parseHead } from './audit-head.ts'
import { selectLastAlert } from './rows.ts'

/** The alert that tells that the audit log is not what was written; there is one log. */
export const AUDIT_BROKEN = {
  code: 'audit_log.broken',
  subject: 'audit_log',
} as const satisfies { code: AlertCode; subject: string }

/** What is known of the audit log before it is verified. */
export interface AuditFooting {
  /** A head that the log has had, and must still have. */
  known: AuditHead
  /** What is before it is not verified: an operator accepted it though it does not hold. */
  from: AuditHead
  /** Whether it is told that the log is broken. */
  open: boolean
}

/**
 * What the last alert says is known: whoever verified then, or the operator who accepted the log,
 * wrote it there, so that it outlives the process that knew it.
 */
export async function readFooting(tx: Tx): Promise<AuditFooting> {
  const last = await selectLastAlert(tx, AUDIT_BROKEN)
  const headOf = (name: string) => parseHead(String(last?.details[name])) ?? NOTHING_SEALED
  const open = last !== null && last.resolved_at === null
  return { known: headOf('known'), from: headOf('from'), open }
}

/** What an alert keeps of it. */
export function footingDetails({ known, from }: Omit<AuditFooting, 'open'>) {
  return { known: formatHead(known), ...(from.sequence > 0 && { from: formatHead(from) }) }
}
