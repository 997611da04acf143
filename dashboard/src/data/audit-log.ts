import type { Client, ExportFormat } from '@sluice/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client } from './client.ts'
import { dayRange } from './days.ts'

/** Filters of the list. */
export const AUDIT_FILTERS = ['actor', 'action', 'object', 'from', 'to'] as const
export type AuditFilter = Partial<Record<(typeof AUDIT_FILTERS)[number], string>>
type Query = NonNullable<Parameters<Client['auditLog']['list']>[0]>

const PAGE = 50

/** A page of the entries of a filter, the newest first. */
export function useAuditLog(filter: AuditFilter, cursor: string | undefined) {
  return useQuery({
    queryKey: ['auditLog', 'list', filter, cursor ?? ''],
    queryFn: ({ signal }) => {
      const page = { limit: PAGE, ...(cursor !== undefined && { cursor }) }
      return client.auditLog.list({ ...toQuery(filter), ...page }, { signal })
    },
    placeholderData: keepPreviousData,
  })
}

/** Every entry of a filter as CSV. */
export function exportAuditLog(filter: AuditFilter) {
  return (format: ExportFormat) => client.auditLog.export(format, toQuery(filter))
}

function toQuery({ from, to, ...rest }: AuditFilter): Query {
  return { ...rest, ...dayRange({ from, to }) }
}

/** Compares the newest entries with their seals. */
export function verifyAuditLog() {
  return client.auditLog.verify()
}
