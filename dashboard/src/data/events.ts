import type { ExportFormat } from '@sluice/client'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { client, queries } from './client.ts'
import { type EventFilters, toQuery } from './event-facts.ts'

const PAGE = 50
const EVENTS_OF_RECORD = 100
/** Deliveries emit no event, so waiting ones are read again. */
const WAITING_MS = 5_000

/** A page of the events of a filter, the newest first. */
export function useEvents(filters: EventFilters, cursor: string | undefined) {
  return useQuery({
    queryKey: ['events', 'list', filters, cursor ?? ''],
    queryFn: ({ signal }) => {
      const page = { limit: PAGE, ...(cursor !== undefined && { cursor }) }
      return client.events.list({ ...toQuery(filters), ...page }, { signal })
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ delivery }) => delivery.state === 'pending') ? WAITING_MS : false,
  })
}

/** The query of the events of one record, newest first; a record has few. */
export function eventsOf(subjectId: string) {
  return queryOptions({
    queryKey: ['events', 'subject', subjectId],
    queryFn: async ({ signal }) =>
      (await client.events.list({ subjectId, limit: EVENTS_OF_RECORD }, { signal })).items,
  })
}

/** One event, with its deliveries and their attempts. */
export function useEvent(id: string) {
  return useQuery({
    queryKey: ['events', id],
    queryFn: ({ signal }) => client.events.get(id, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some((one) => one.state === 'pending') ? WAITING_MS : false,
  })
}

/** Every event of a filter as CSV. */
export function exportEvents(filters: EventFilters) {
  return (format: ExportFormat) => client.events.export(format, toQuery(filters))
}

/** How many events of a filter there are, and how many of them a resend sends. */
export function useEventCount(filters: EventFilters) {
  return useQuery({
    queryKey: ['eventCount', filters],
    queryFn: ({ signal }) => client.events.count(toQuery(filters), { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

/** Reads the events again after a resend. */
export function refreshEvents(): void {
  void queries.invalidateQueries({ queryKey: ['events'] })
  void queries.invalidateQueries({ queryKey: ['webhookEndpoints'] })
}
