import type { Readable } from 'node:stream'
import type { Alert as AlertView, AuditEntry } from '@sluice/wire'
import { type Alert, alertFromRow } from '../../alerts/alert.ts'
import { selectAlertPage } from '../../alerts/list-rows.ts'
import { listAudit } from '../../audit-log/list-audit.ts'
import { type Millis, iso } from '../../base/clock.ts'
import { type Page, answerList } from '../http/paging.ts'
import type { Call } from '../http/route.ts'

/** Alerts of the caller's organization. Refuses with BAD_REQUEST (cursor). */
export function answerAlerts({
  database,
  caller: { orgId },
  exporting,
  query,
}: Call<'getAlerts'>): Promise<Page<'alerts', AlertView> | Readable> {
  const { limit: _limit, cursor: _cursor, ...filter } = query
  return answerList(
    { ...query, exporting },
    {
      key: 'alerts',
      read: async (after, limit) => {
        const page = { orgId, filter, after, limit }
        const rows = await database.forOrg(orgId, (tx) => selectAlertPage(tx, page))
        return rows.map((row) => ({
          place: { createdAt: row.raised_at, id: row.id },
          view: viewAlert(alertFromRow(row)),
        }))
      },
    },
  )
}

/** Entries of the audit log of the caller's organization. Refuses with BAD_REQUEST (cursor). */
export function answerAuditLog({
  database,
  caller: { orgId },
  exporting,
  query,
}: Call<'getAuditLog'>): Promise<Page<'entries', AuditEntry> | Readable> {
  const { limit: _limit, cursor: _cursor, ...filter } = query
  return answerList(
    { ...query, exporting },
    {
      key: 'entries',
      isNumbered: true,
      read: async (after, limit) => {
        const page = { orgId, ...filter, after, limit }
        const entries = await database.forOrg(orgId, (tx) => listAudit(tx, page))
        return entries.map(({ id, at, actor, action, object, details }) => ({
          place: { createdAt: at, id: String(id) },
          view: { id, at: iso(at), actor, action, object, details },
        }))
      },
    },
  )
}

export function viewAlert(alert: Alert): AlertView {
  const { id, code, subject, message, times, acknowledgedBy } = alert
  return {
    id,
    code,
    subject,
    message,
    times,
    raisedAt: iso(alert.raisedAt),
    lastAt: iso(alert.lastAt),
    resolvedAt: isoOrNull(alert.resolvedAt),
    acknowledgedAt: isoOrNull(alert.acknowledgedAt),
    acknowledgedBy,
  }
}

function isoOrNull(at: Millis | null): string | null {
  return at === null ? null : iso(at)
}
