import type { ServiceKey } from '../keys/service-key.ts'
import { readEndpoint } from '../orgs/change-endpoint.ts'
import { type Endpoint, isAuthentic } from '../orgs/endpoint.ts'
import { selectEndpoints } from '../orgs/endpoint-rows.ts'
import type { Tx } from '../store/database.ts'
import { countPending } from './redelivery-rows.ts'

/** An endpoint with the state of its deliveries. */
export interface EndpointStatus {
  endpoint: Endpoint
  /** Whether its MAC matches. */
  isAuthentic: boolean
  /** Its pending deliveries, those waiting for a retry included. */
  pending: number
}

/** The endpoints of an organization, the default one first. */
export async function listEndpoints(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'verify'>,
  orgId: string,
): Promise<EndpointStatus[]> {
  return withStatus(tx, serviceKey, await selectEndpoints(tx, orgId))
}

/** One endpoint of an organization. Refuses with NOT_FOUND. */
export async function readEndpointStatus(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'verify'>,
  { orgId, id }: { orgId: string; id: string },
): Promise<EndpointStatus> {
  const endpoint = await readEndpoint(tx, { orgId, id })
  const [status] = await withStatus(tx, serviceKey, [endpoint])
  return status ?? { endpoint, isAuthentic: false, pending: 0 }
}

async function withStatus(
  tx: Tx,
  serviceKey: Pick<ServiceKey, 'verify'>,
  endpoints: readonly Endpoint[],
): Promise<EndpointStatus[]> {
  const counts = await countPending(
    tx,
    endpoints.map(({ id }) => id),
  )
  return endpoints.map((endpoint) => ({
    endpoint,
    isAuthentic: isAuthentic(serviceKey, endpoint),
    pending: counts.get(endpoint.id) ?? 0,
  }))
}
