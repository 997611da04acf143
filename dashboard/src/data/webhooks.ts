import { queryOptions, useQuery } from '@tanstack/react-query'
import { client, queries } from './client.ts'
import { type EndpointFilter, matching } from './endpoints.ts'
import { pageOf, toCsv } from './local-list.ts'

/** Deliveries emit no event, so the endpoints are read again. */
const AGAIN_MS = 10_000

/** The query of all endpoints. */
export const ENDPOINTS = queryOptions({
  queryKey: ['webhookEndpoints'],
  queryFn: ({ signal }) => client.webhookEndpoints.list({ signal }),
})

/** All endpoints, the default one first. */
export function useEndpoints() {
  return useQuery({ ...ENDPOINTS, refetchInterval: AGAIN_MS })
}

/** A page of the endpoints that match a filter. */
export function useEndpointsPage(filter: EndpointFilter, cursor: string | undefined) {
  return useQuery({
    ...ENDPOINTS,
    refetchInterval: AGAIN_MS,
    select: (endpoints) => pageOf(matching(endpoints, filter), cursor),
  })
}

/** One endpoint; null if the id is unknown. */
export function useEndpoint(id: string) {
  return useQuery({
    ...ENDPOINTS,
    refetchInterval: AGAIN_MS,
    select: (endpoints) => endpoints.find((one) => one.id === id) ?? null,
  })
}

/** The endpoints that match a filter, as CSV. */
export async function exportEndpoints(filter: EndpointFilter): Promise<ReadableStream<Uint8Array>> {
  const endpoints = matching(await queries.fetchQuery({ ...ENDPOINTS, staleTime: 0 }), filter)
  const header = ['id', 'url', 'isDefault', 'state', 'eventTypes', 'pendingDeliveries']
  const times = ['lastSuccessAt', 'lastFailureAt', 'failingSince', 'createdAt'] as const
  const rows = endpoints.map((one) => [
    one.id,
    one.url,
    String(one.isDefault),
    one.state,
    (one.eventTypes ?? []).join(' '),
    String(one.pendingDeliveries),
    ...times.map((time) => one[time] ?? ''),
  ])
  return toCsv([[...header, ...times], ...rows]).stream()
}

/** Reads the endpoints again after a change. */
export function refreshEndpoints(): void {
  void queries.invalidateQueries({ queryKey: ['webhookEndpoints'] })
}
