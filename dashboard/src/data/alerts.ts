import type { Client, ExportFormat } from '@sluice/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client, queries } from './client.ts'

/** Filters of the list. */
export interface AlertFilter {
  /** `true` or `false`. */
  open?: string
  code?: string
}
type Query = NonNullable<Parameters<Client['alerts']['list']>[0]>

const PAGE = 50

/** A page of the alerts of a filter, the newest first. */
export function useAlerts(filter: AlertFilter, cursor: string | undefined, isOn = true) {
  return useQuery({
    queryKey: ['alerts', 'list', filter, cursor ?? ''],
    queryFn: ({ signal }) => {
      const page = { limit: PAGE, ...(cursor !== undefined && { cursor }) }
      return client.alerts.list({ ...toQuery(filter), ...page }, { signal })
    },
    placeholderData: keepPreviousData,
    enabled: isOn,
  })
}

/** One alert, open or resolved. */
export function useAlert(id: string) {
  return useQuery({
    queryKey: ['alerts', 'one', id],
    queryFn: ({ signal }) => client.alerts.get(id, { signal }),
  })
}

/** Every alert of a filter as CSV. */
export function exportAlerts(filter: AlertFilter) {
  return (format: ExportFormat) => client.alerts.export(format, toQuery(filter))
}

function toQuery({ open, code }: AlertFilter): Query {
  return {
    ...(open !== undefined && { open: open === 'true' }),
    ...(code !== undefined && { code }),
  }
}

/** Records that the person has seen an alert. */
export async function acknowledge(id: string): Promise<void> {
  await client.alerts.acknowledge(id)
  for (const subject of ['alerts', 'auditLog'])
    void queries.invalidateQueries({ queryKey: [subject] })
}
