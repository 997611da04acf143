import type { Client, ExportFormat, Sweep } from '@sluice/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client } from './client.ts'
import { dayRange } from './days.ts'

/** Filters of the list of sweeps. */
export const SWEEP_FILTERS = ['status', 'chainId', 'tokenId', 'from', 'to'] as const
export type SweepFilters = Partial<Record<(typeof SWEEP_FILTERS)[number], string>>
type Filter = NonNullable<Parameters<Client['sweeps']['list']>[0]>

/** The states of a sweep, in the order of its way. */
export const SWEEP_STATUSES = [
  'Waiting',
  'Sent',
  'Done',
  'Failed',
] as const satisfies readonly Sweep['status'][]

const PAGE = 50
const OPEN_MS = 10_000

/** A page of the sweeps of a filter. */
export function useSweeps(filters: SweepFilters, cursor?: string) {
  return useQuery({
    queryKey: ['sweeps', 'list', filters, cursor ?? ''],
    queryFn: ({ signal }) => {
      const page = { limit: PAGE, ...(cursor !== undefined && { cursor }) }
      return client.sweeps.list({ ...toQuery(filters), ...page }, { signal })
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isOpen) ? OPEN_MS : false),
  })
}

/** Every sweep of a filter as CSV. */
export function exportSweeps(filters: SweepFilters) {
  return (format: ExportFormat) => client.sweeps.export(format, toQuery(filters))
}

function toQuery({ from, to, ...rest }: SweepFilters): Filter {
  return { ...rest, ...dayRange({ from, to }) } as Filter
}

function isOpen({ status }: Pick<Sweep, 'status'>): boolean {
  return status === 'Waiting' || status === 'Sent'
}
