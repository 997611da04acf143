import { sql } from 'kysely'
import { iso } from '../base/clock.ts'
import type { Millis } from '../base/clock.ts'
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
 * Writes events, and a delivery due at once for each of an organization that wants to be notified.
 */
export async function insertEvents(
  tx: Tx,
  { events, notify }: { events: readonly EventRow[]; notify: ReadonlyMap<string, string> },
): Promise<void> {
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
     returning org_id, id, sequence, created_at
      )
    insert into deliveries (org_id, event_id, sequence, state, next_at)
    select org_id, id, sequence, 'pending', created_at
      from written
     where org_id = any (${[...notify.keys()]}::uuid[])`)
}

/** Delivery options of a single event. */
export interface Routing {
  /** Its URL, regardless of the organization's; null for the organization's. */
  url: string | null
  /** The attempt after which it fails. */
  attemptsMax: number
}

/** Sends a new event with its own options, even if its organization has no URL. */
export async function insertRouted(
  tx: Tx,
  { event, url, attemptsMax }: { event: EventRow } & Routing,
): Promise<void> {
  await tx.run(sql`
    insert into deliveries
      (org_id, event_id, sequence, state, next_at, url, attempts_max)
    values
      (${event.orgId}, ${event.id}, ${event.sequence}, 'pending', ${iso(event.at)}, ${url},
       ${attemptsMax})
        on conflict (org_id, event_id) do update
       set url = excluded.url,
           attempts_max = excluded.attempts_max`)
}
