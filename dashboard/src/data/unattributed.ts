import type { Client, ExportFormat, UnattributedPayment } from '@sluice/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client, queries } from './client.ts'
import { dayRange } from './days.ts'

/** Filters of the list of unattributed payments. */
export const UNATTRIBUTED_FILTERS = ['status', 'chainId', 'from', 'to'] as const
export type UnattributedFilters = Partial<Record<(typeof UNATTRIBUTED_FILTERS)[number], string>>
type Filter = NonNullable<Parameters<Client['unattributed']['list']>[0]>

/** The states of an unattributed payment, in the order of its way. */
export const UNATTRIBUTED_STATUSES = [
  'Waiting',
  'Proposed',
  'Assigned',
] as const satisfies readonly UnattributedPayment['status'][]

const PAGE = 50

/** A page of the unattributed payments of a filter. */
export function useUnattributed(filters: UnattributedFilters, cursor?: string) {
  return useQuery({
    queryKey: ['unattributed', 'list', filters, cursor ?? ''],
    queryFn: ({ signal }) => {
      const page = { limit: PAGE, ...(cursor !== undefined && { cursor }) }
      return client.unattributed.list({ ...toQuery(filters), ...page }, { signal })
    },
    placeholderData: keepPreviousData,
  })
}

/** Every unattributed payment of a filter as CSV. */
export function exportUnattributed(filters: UnattributedFilters) {
  return (format: ExportFormat) => client.unattributed.export(format, toQuery(filters))
}

function toQuery({ from, to, ...rest }: UnattributedFilters): Filter {
  return { ...rest, ...dayRange({ from, to }) } as Filter
}

/** Proposes the end user of a payment, or confirms the proposal of another person. */
export async function assignPayment(
  id: string,
  assignment: { externalUserId: string; reason: string; totpCode: string },
): Promise<UnattributedPayment> {
  const payment = await client.unattributed.assign(id, assignment)
  const changed = ['unattributed', 'deposits', 'portfolio', 'alerts'].map((subject) =>
    queries.invalidateQueries({ queryKey: [subject] }),
  )
  await Promise.all(changed)
  return payment
}
