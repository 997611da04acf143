import { sql } from 'kysely'
import { iso } from '../base/clock.ts'
import type { Millis } from '../base/clock.ts'
import type { Route } from '../orgs/endpoint-rows.ts'
import type { Tx } from '../store/database.ts'

/** A stored event. */
export interface EventRow {
  orgId: string
  id: string
  sequence: number
  type: string
  subjectId: string
  /** The exact text that is signed and sent. */
  body: string
  at: Millis
}

export async function insertCounter(tx: Tx, orgId: string): Promise<void> {
  await tx.run(sql`
    insert into event_counters (org_id)
    values (${orgId})`)
}

/**
 * Reserves numbers for each organization and returns the last of each. The rows are locked in one
 * order until the commit, so numbers have no gaps and become visible in order.
 */
export async function takeSequences(
  tx: Tx,
  counts: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const rows = await tx.many(sql<{ orgId: string; last: number }>`
      with taken as (
        select org_id, count
          from unnest(${[...counts.keys()]}::uuid[], ${[...counts.values()]}::bigint[])
            as t (org_id, count)
      ), locked as materialized (
        select org_id
          from event_counters
         where org_id in (select org_id from taken)
         order by org_id
           for update
      )
    update event_counters
       set last_sequence = event_counters.last_sequence + taken.count
      from taken
      join locked using (org_id)
     where event_counters.org_id = taken.org_id
 returning event_counters.org_id as "orgId", event_counters.last_sequence as "last"`)
  return new Map(rows.map(({ orgId, last }) => [orgId, last]))
}

/**
 * Writes events, and a delivery due at once for each endpoint of `notify` that receives their type;
 * no delivery of the events `apart`.
 */
export async function insertEvents(
  tx: Tx,
  params: { events: readonly EventRow[]; notify: readonly Route[]; apart: readonly string[] },
): Promise<void> {
  const { events, notify, apart } = params
  const column = <T>(pick: (event: EventRow) => T): T[] => events.map(pick)
  await tx.run(sql`
      with written as (
        insert into events (org_id, id, sequence, type, subject_id, body, created_at)
        select org_id, id, sequence, type, subject_id, body,
               timestamptz 'epoch' + at * interval '1 millisecond'
          from unnest(
            ${column(({ orgId }) => orgId)}::uuid[],
            ${column(({ id }) => id)}::uuid[],
            ${column(({ sequence }) => sequence)}::bigint[],
            ${column(({ type }) => type)}::text[],
            ${column(({ subjectId }) => subjectId)}::text[],
            ${column(({ body }) => body)}::text[],
            ${column(({ at }) => at)}::bigint[])
            as u (org_id, id, sequence, type, subject_id, body, at)
     returning org_id, id, sequence, type, created_at
      )
    insert into deliveries (org_id, event_id, endpoint_id, sequence, state, next_at)
    select w.org_id, w.id, route.endpoint_id, w.sequence, 'pending', w.created_at
      from written w
      join unnest(
             ${notify.map(({ orgId }) => orgId)}::uuid[],
             ${notify.map(({ endpointId }) => endpointId)}::uuid[],
             ${notify.map(({ eventTypes }) => eventTypes)}::text[])
             as route (org_id, endpoint_id, types) on route.org_id = w.org_id
     where (route.types = '' or w.type = any (string_to_array(route.types, ' ')))
       and w.id <> all (${[...apart]}::uuid[])
     order by w.sequence`)
}

/** Delivery options of a single event at one endpoint, whose filter it passes. */
export interface Routing {
  endpointId: string
  /** Its URL, regardless of the endpoint's; null for the endpoint's. */
  url: string | null
  /** The MAC of that URL (`macOfUrl`), from the event's id. */
  macOf?: (eventId: string) => Uint8Array
  /** The attempt after which it fails. */
  attemptsMax: number
  /** Whether no other endpoint receives the event. */
  isOnly: boolean
  /** Leased to the writer from the beginning, who sends it. */
  lease?: { token: string; until: Millis }
}

/** Sends a new event with its own options, even if its endpoint has no URL. */
export async function insertRouted(
  tx: Tx,
  { event, routing }: { event: EventRow; routing: Routing },
): Promise<void> {
  const { endpointId, url, macOf, attemptsMax, lease } = routing
  await tx.run(sql`
    insert into deliveries
      (org_id, event_id, endpoint_id, sequence, state, next_at, url, url_mac, attempts_max,
       leased_until, lease_token)
    values
      (${event.orgId}, ${event.id}, ${endpointId}, ${event.sequence}, 'pending', ${iso(event.at)},
       ${url}, ${macOf?.(event.id) ?? null}, ${attemptsMax},
       ${lease === undefined ? null : iso(lease.until)}, ${lease?.token ?? null})
        on conflict (org_id, event_id, endpoint_id) do update
       set url = excluded.url,
           url_mac = excluded.url_mac,
           attempts_max = excluded.attempts_max`)
}
