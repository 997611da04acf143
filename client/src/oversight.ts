import type { Download } from './download.ts'
import type { Alert, AuditEntry, AuditVerification } from './generated.ts'
import type { ReadList } from './money-lists.ts'
import type { CallOptions, Filter } from './operation.ts'
import { eachOf, paged, toPage } from './pages.ts'
import type { Ask } from './transport.ts'

/** Alerts of the organization. */
export interface Alerts extends ReadList<Alert, Filter<'getAlerts'>> {
  /** One alert, by the id. */
  get(id: string, options?: CallOptions): Promise<Alert>
  /** Records that the caller has seen an alert; it stays open until its cause ends. */
  acknowledge(id: string, options?: CallOptions): Promise<Alert>
}

/** Who changed what. */
export interface AuditLog extends ReadList<AuditEntry, Filter<'getAuditLog'>> {
  /** Whether the newest entries match their seals. */
  verify(options?: CallOptions): Promise<AuditVerification>
}

export function openAlerts(ask: Ask, download: Download): Alerts {
  const list: Alerts['list'] = async (filter, options) => {
    const answer = await ask('getAlerts', { query: paged(filter) }, options)
    return toPage(answer.alerts, answer.nextCursor)
  }
  return {
    list,
    all: (filter, options) => eachOf((part) => list({ ...filter, ...part }, options)),
    export: (format, filter, options) =>
      download('getAlerts', format, { query: { ...filter } }, options),
    get: async (id, options) => (await ask('getAlert', { path: { id } }, options)).alert,
    acknowledge: async (id, options) =>
      (await ask('postAlertAcknowledge', { path: { id } }, options)).alert,
  }
}

export function openAuditLog(ask: Ask, download: Download): AuditLog {
  const list: AuditLog['list'] = async (filter, options) => {
    const answer = await ask('getAuditLog', { query: paged(filter) }, options)
    return toPage(answer.entries, answer.nextCursor)
  }
  return {
    list,
    all: (filter, options) => eachOf((part) => list({ ...filter, ...part }, options)),
    export: (format, filter, options) =>
      download('getAuditLog', format, { query: { ...filter } }, options),
    verify: async (options) => (await ask('getAuditLogVerification', {}, options)).verification,
  }
}
