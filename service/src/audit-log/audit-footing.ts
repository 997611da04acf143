import type { Tx } from '../store/database.ts'
import type { AlertCode } from '../alerts/alert.ts'
import { type AuditHead, NOTHING_SEALED, formatHead, parseHead } from './audit-head.ts'
import { selectLastAlert } from '../alerts/rows.ts'

/** The alert of a changed audit log. */
export const AUDIT_BROKEN = {
  code: 'audit_log.broken',
  subject: 'audit_log',
} as const satisfies { code: AlertCode; subject: string }

/** The starting point of a verification. */
export interface AuditFooting {
  /** A head that the log must contain. */
  known: AuditHead
  /** Verification starts after it: an operator accepted the log before it as it is. */
  from: AuditHead
  /** Whether the alert is open. */
  open: boolean
}

/** Reads the footing that the last verification or acceptance stored in its alert. */
export async function readFooting(tx: Tx): Promise<AuditFooting> {
  const last = await selectLastAlert(tx, AUDIT_BROKEN)
  const headOf = (name: string) => parseHead(String(last?.details[name])) ?? NOTHING_SEALED
  const open = last !== null && last.resolved_at === null
  return { known: headOf('known'), from: headOf('from'), open }
}

/** The part of a footing that an alert stores. */
export function footingDetails({ known, from }: Omit<AuditFooting, 'open'>) {
  return { known: formatHead(known), ...(from.sequence > 0 && { from: formatHead(from) }) }
}
