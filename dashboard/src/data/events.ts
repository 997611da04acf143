import type { ExportFormat, Page, RecordedEvent } from '@sluice/client'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { client, queries } from './client.ts'
import { type EventFilters, isResent, toQuery } from './event-facts.ts'

const PAGE = 50
const EVENTS_OF_RECORD = 100
const COUNTED_PAGE = 500
/** Events that are counted before a resend; more are shown as "at least". */
const COUNTED_MAX = 10_000
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

/** The number of events that a resend sends, among the first 10,000 of its filter. */
export interface EventCount {
  count: number
  /** There are more than were read. */
  isAtLeast: boolean
}

/**
 * Counts the events of a filter that a resend sends to an endpoint with these types, page by page;
 * `onProgress` gets the number so far. The service has no count of its own.
 */
export async function countEvents(
  filters: EventFilters,
  {
    eventTypes,
    signal,
    onProgress,
  }: {
    eventTypes: readonly string[] | null
    signal: AbortSignal
    onProgress: (count: number) => void
  },
): Promise<EventCount> {
  let count = 0
  let read = 0
  let cursor: string | null = null
  do {
    const page: Page<RecordedEvent> = await client.events.list(
      { ...toQuery(filters), limit: COUNTED_PAGE, ...(cursor !== null && { cursor }) },
      { signal },
    )
    read += page.items.length
    count += page.items.filter((event) => isResent(event, eventTypes)).length
    cursor = page.nextCursor
    onProgress(count)
  } while (cursor !== null && read < COUNTED_MAX)
  return { count, isAtLeast: cursor !== null }
}

/** Reads the events again after a resend. */
export function refreshEvents(): void {
  void queries.invalidateQueries({ queryKey: ['events'] })
  void queries.invalidateQueries({ queryKey: ['webhookEndpoints'] })
}
