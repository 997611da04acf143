import type { EventType } from '@sluice/wire'
import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import type { AuthenticatedEndpoint, Endpoint } from './endpoint.ts'

/** A row of `webhook_endpoints`, with its types separated by spaces. */
type EndpointRow = Omit<Endpoint, 'eventTypes'> & { eventTypes: string }

const columns = sql`
           org_id as "orgId", id, url, event_types as "eventTypes", paused_at as "pausedAt",
           secret_id as "secretId", version, in_force(mac) as "mac", created_at as "createdAt",
           updated_at as "updatedAt", last_success_at as "lastSuccessAt",
           last_failure_at as "lastFailureAt", failing_since as "failingSince"`

function fromRow(row: EndpointRow): Endpoint {
  const names = row.eventTypes === '' ? [] : row.eventTypes.split(' ')
  // A type that no version knows makes the MAC mismatch.
  return { ...row, eventTypes: names as EventType[] }
}

/** The default endpoint first, then by age. */
export async function selectEndpoints(tx: Tx, orgId: string): Promise<Endpoint[]> {
  const rows = await tx.many(sql<EndpointRow>`
    select ${columns}
      from webhook_endpoints
     where org_id = ${orgId}
     order by id <> org_id, created_at, id`)
  return rows.map(fromRow)
}

export async function selectEndpoint(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<Endpoint | null> {
  const row = await tx.maybe(sql<EndpointRow>`
    select ${columns}
      from webhook_endpoints
     where org_id = ${orgId}
       and id = ${id}`)
  return row === null ? null : fromRow(row)
}

/** The endpoints with these ids, of any organization. */
export async function selectEndpointsById(tx: Tx, ids: readonly string[]): Promise<Endpoint[]> {
  const rows = await tx.many(sql<EndpointRow>`
    select ${columns}
      from webhook_endpoints
     where id = any(${[...ids]}::uuid[])`)
  return rows.map(fromRow)
}

/** An endpoint that new events are sent to; its types are separated by spaces, "" for all. */
export interface Route {
  orgId: string
  endpointId: string
  eventTypes: string
}

/** The endpoints of these organizations that have a URL, paused ones too. */
export async function selectRoutes(tx: Tx, orgIds: readonly string[]): Promise<Route[]> {
  return tx.many(sql<Route>`
    select org_id as "orgId", id as "endpointId", event_types as "eventTypes"
      from webhook_endpoints
     where org_id = any(${[...orgIds]}::uuid[])
       and url <> ''`)
}

/** The ids of the paused endpoints. */
export async function selectPaused(tx: Tx): Promise<string[]> {
  const rows = await tx.many(sql<{ id: string }>`
    select id
      from webhook_endpoints
     where paused_at is not null`)
  return rows.map(({ id }) => id)
}

export async function insertEndpoint(
  tx: Tx,
  { mac, ...endpoint }: AuthenticatedEndpoint & { mac: Uint8Array },
): Promise<void> {
  const { orgId, id, url, eventTypes, pausedAt, secretId, version } = endpoint
  const now = iso(tx.clock.now())
  await tx.run(sql`
    insert into webhook_endpoints
      (org_id, id, url, event_types, paused_at, secret_id, version, mac, created_at, updated_at)
    values
      (${orgId}, ${id}, ${url}, ${eventTypes.join(' ')}, ${timeOf(pausedAt)}, ${secretId},
       ${version}, ${mac}, ${now}, ${now})`)
}

export async function updateEndpoint(
  tx: Tx,
  { mac, ...endpoint }: AuthenticatedEndpoint & { mac: Uint8Array },
): Promise<void> {
  const { orgId, id, url, eventTypes, pausedAt, secretId, version } = endpoint
  await tx.run(sql`
    update webhook_endpoints
       set url = ${url},
           event_types = ${eventTypes.join(' ')},
           paused_at = ${timeOf(pausedAt)},
           secret_id = ${secretId},
           version = ${version},
           mac = ${mac},
           updated_at = ${iso(tx.clock.now())}
     where org_id = ${orgId}
       and id = ${id}`)
}

export async function deleteEndpointRow(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<void> {
  await tx.run(sql`
    delete from webhook_endpoints
     where org_id = ${orgId}
       and id = ${id}`)
}

/** The newest results of an endpoint's attempts; null without a result of this kind. */
export interface EndpointResult {
  orgId: string
  endpointId: string
  successAt: Millis | null
  failureAt: Millis | null
  /** Whether the newer of both is the failure. */
  isFailing: boolean
}

/** Stores results, in the order given, so that writers do not deadlock. */
export async function updateResults(tx: Tx, results: readonly EndpointResult[]): Promise<void> {
  for (const { orgId, endpointId, successAt, failureAt, isFailing } of results)
    await tx.run(sql`
      update webhook_endpoints
         set last_success_at = greatest(last_success_at, ${timeOf(successAt)}),
             last_failure_at = greatest(last_failure_at, ${timeOf(failureAt)}),
             failing_since = case when not ${isFailing}::boolean then null
                                  when ${successAt === null}::boolean and failing_since is not null
                                  then failing_since
                                  else ${timeOf(failureAt)} end
       where org_id = ${orgId}
         and id = ${endpointId}`)
}

function timeOf(at: Millis | null) {
  return sql`${at === null ? null : iso(at)}::timestamptz`
}
