import { sql } from 'kysely'
import { iso } from '../base/clock.ts'
import type { Millis } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import type { Delivery } from './delivery.ts'
import { ATTEMPTS_MAX, RETRIED_FOR_MS } from './schedule.ts'

/** Below every endpoint's id. */
export const FIRST_ENDPOINT = '00000000-0000-0000-0000-000000000000'

/**
 * Endpoints with a due, unleased delivery, by id after `after`, without paused ones. The query
 * skips from endpoint to endpoint on the index, so that a long backlog costs as much as one row.
 */
export async function readDueEndpoints(
  tx: Tx,
  { after, except, limit }: { after: string; except: readonly string[]; limit: number },
): Promise<string[]> {
  const now = iso(tx.clock.now())
  const rows = await tx.many(sql<{ endpointId: string }>`
      with recursive waiting (endpoint_id) as (
        (select endpoint_id
           from deliveries
          where state = 'pending'
            and endpoint_id > ${after}
          order by endpoint_id
          limit 1)
         union all
        select (select d.endpoint_id
                  from deliveries d
                 where d.state = 'pending'
                   and d.endpoint_id > waiting.endpoint_id
                 order by d.endpoint_id
                 limit 1)
          from waiting
         where waiting.endpoint_id is not null
      )
    select w.endpoint_id as "endpointId"
      from waiting w
     where w.endpoint_id <> all (${[...except]}::uuid[])
       and not is_endpoint_paused(w.endpoint_id)
       and exists (
             select
               from deliveries d
              where d.endpoint_id = w.endpoint_id
                and d.state = 'pending'
                and d.next_at <= ${now}
                and (d.leased_until is null or d.leased_until <= ${now}))
     limit ${limit}`)
  return rows.map(({ endpointId }) => endpointId)
}

/** The leased deliveries of one organization to one endpoint. */
export interface LeasedGroup {
  orgId: string
  endpointId: string
  rows: LeasedRow[]
}

export interface LeasedRow {
  eventId: string
  attempts: number
  attemptsMax: number
  /** The delivery's own URL with its MAC; null if it goes to the endpoint's. */
  directed: { url: string; mac: Uint8Array } | null
  body: string
}

/**
 * Deliveries per text. The text stays well below 128 KiB: for a larger one the system allocates
 * fresh pages, and touching these costs more than reading the text.
 */
const TOGETHER = 25

/**
 * Leases due deliveries, for each endpoint at most its share, oldest first, and returns them by
 * endpoint and organization, which are one group unless the rows were tampered with. Rows that
 * another process is leasing are skipped. A locked row keeps its `ctid`, by
 * which the update finds it again.
 */
export async function leaseDue(
  tx: Tx,
  params: { shares: ReadonlyMap<string, number>; leaseToken: string; leaseMs: number },
): Promise<LeasedGroup[]> {
  const at = tx.clock.now()
  const now = iso(at)
  await lookUpEach(tx)
  const lists = await tx.many(sql<LeasedLists>`
      with due as (
        select picked.org_id, picked.event_id, picked.place
          from unnest(${[...params.shares.keys()]}::uuid[], ${[...params.shares.values()]}::int[])
            as share (endpoint_id, most)
         cross join lateral (
           select d.org_id, d.event_id, d.ctid as place
             from deliveries d
            where d.endpoint_id = share.endpoint_id
              and d.state = 'pending'
              and d.next_at <= ${now}
              and (d.leased_until is null or d.leased_until <= ${now})
            order by d.next_at
            limit share.most
              for update skip locked
         ) picked
      ), leased as (
        update deliveries
           set leased_until = ${iso(at + params.leaseMs)},
               lease_token = ${params.leaseToken}
          from due
          join events e on e.org_id = due.org_id and e.id = due.event_id
         where deliveries.ctid = due.place
     returning deliveries.org_id, deliveries.endpoint_id, deliveries.event_id,
               deliveries.attempts, deliveries.attempts_max, deliveries.url, deliveries.url_mac,
               e.body
      )
    select org_id as "orgId", endpoint_id as "endpointId", part,
           string_agg(event_id::text, ${'\n'}) as "eventIds",
           string_agg(attempts::text, ${'\n'}) as "attempts",
           string_agg(attempts_max::text, ${'\n'}) as "attemptsMax",
           string_agg(coalesce(url || ' ' || encode(url_mac, 'hex'), url || ' ', ''), ${'\n'})
             as "directed", string_agg(body, ${'\n'}) as "bodies"
      from (select *, ((row_number() over () - 1) / ${TOGETHER}::int)::int as part
              from leased) parted
     group by org_id, endpoint_id, part`)
  const groups = new Map<string, LeasedGroup>()
  for (const list of lists.sort((a, b) => a.part - b.part)) {
    const { orgId, endpointId } = list
    const rows = await takeApart(tx, list)
    const before = groups.get(`${orgId} ${endpointId}`)
    if (before) before.rows.push(...rows)
    else groups.set(`${orgId} ${endpointId}`, { orgId, endpointId, rows })
  }
  return [...groups.values()]
}

/**
 * Some deliveries of one group, one value per line: separate rows would cost more than the
 * rest of the lease.
 */
interface LeasedLists {
  orgId: string
  endpointId: string
  /** Parts in the order of their numbers. */
  part: number
  eventIds: string
  attempts: string
  attemptsMax: string
  directed: string
  bodies: string
}

async function takeApart(tx: Tx, { orgId, ...lists }: LeasedLists): Promise<LeasedRow[]> {
  const eventIds = lists.eventIds.split('\n')
  const attempts = lists.attempts.split('\n')
  const attemptsMax = lists.attemptsMax.split('\n')
  const directed = lists.directed.split('\n')
  const pieces = lists.bodies.split('\n')
  // Our texts have no line breaks; a text that another writer stored is sent unchanged.
  const isEach = pieces.length === eventIds.length
  const bodies = isEach ? pieces : await selectBodies(tx, { orgId, eventIds })
  return eventIds.map((eventId, at) => ({
    eventId,
    attempts: Number(attempts[at]),
    attemptsMax: Number(attemptsMax[at]),
    directed: directedOf(directed[at] ?? ''),
    body: bodies[at] ?? '',
  }))
}

/** A URL, a space, and its MAC in hexadecimal; "" without a URL. */
function directedOf(text: string): LeasedRow['directed'] {
  if (text === '') return null
  const end = text.lastIndexOf(' ')
  return { url: text.slice(0, end), mac: Buffer.from(text.slice(end + 1), 'hex') }
}

/** The texts of events, in the order of the ids. */
async function selectBodies(
  tx: Tx,
  { orgId, eventIds }: { orgId: string; eventIds: readonly string[] },
): Promise<string[]> {
  const rows = await tx.many(sql<{ body: string }>`
    select e.body
      from unnest(${[...eventIds]}::uuid[]) with ordinality as named (id, place)
      join events e on e.org_id = ${orgId} and e.id = named.id
     order by named.place`)
  return rows.map(({ body }) => body)
}

/**
 * Makes the transaction look up lists of rows one by one: for some hundred rows the planner would
 * scan these growing tables completely (measured: half of the database's work).
 */
export async function lookUpEach(tx: Tx): Promise<void> {
  await tx.run(sql`
    select set_config('enable_seqscan', 'off', true),
           set_config('enable_hashjoin', 'off', true),
           set_config('enable_mergejoin', 'off', true)`)
}

/** Releases leased deliveries unattempted, if the leases are still ours. */
export async function releaseDeliveries(tx: Tx, deliveries: readonly Delivery[]): Promise<number> {
  return tx.run(sql`
    update deliveries d
       set leased_until = null,
           lease_token = null
      from unnest(
             ${deliveries.map(({ orgId }) => orgId)}::uuid[],
             ${deliveries.map(({ eventId }) => eventId)}::uuid[],
             ${deliveries.map(({ endpointId }) => endpointId)}::uuid[],
             ${deliveries.map(({ leaseToken }) => leaseToken)}::uuid[])
             as g (org_id, event_id, endpoint_id, lease_token)
     where d.org_id = g.org_id
       and d.event_id = g.event_id
       and d.endpoint_id = g.endpoint_id
       and d.lease_token = g.lease_token`)
}

/** Those deliveries that failed permanently, as texts of `nameOf`. */
export async function selectGivenUp(
  tx: Tx,
  deliveries: readonly Pick<Delivery, 'orgId' | 'eventId' | 'endpointId'>[],
): Promise<Set<string>> {
  const rows = await tx.many(sql<{ eventId: string; endpointId: string }>`
    select d.event_id as "eventId", d.endpoint_id as "endpointId"
      from unnest(
             ${deliveries.map(({ orgId }) => orgId)}::uuid[],
             ${deliveries.map(({ eventId }) => eventId)}::uuid[],
             ${deliveries.map(({ endpointId }) => endpointId)}::uuid[])
             as g (org_id, event_id, endpoint_id)
      join deliveries d
        on d.org_id = g.org_id and d.event_id = g.event_id and d.endpoint_id = g.endpoint_id
     where d.state = 'failed'`)
  return new Set(rows.map(nameOf))
}

/** Identifies a delivery of an organization. */
export function nameOf({ eventId, endpointId }: Pick<Delivery, 'eventId' | 'endpointId'>): string {
  return `${eventId} ${endpointId}`
}

/** The pending and the failed deliveries. */
export interface OutboxDepth {
  /** Pending deliveries, those waiting for a retry included. */
  pending: number
  /**
   * The first due time of the delivery that has waited longest, in milliseconds; retries do not
   * change it. Null without pending deliveries, apart from those of paused endpoints.
   */
  oldestDueAt: Millis | null
  /** Permanently failed deliveries. */
  failed: number
}

export async function readDepth(tx: Tx, paused: readonly string[]): Promise<OutboxDepth> {
  const retriedFor = [...RETRIED_FOR_MS]
  return tx.one(sql<OutboxDepth>`
    select (select count(*) from deliveries where state = 'pending') as "pending",
           (select min(next_at - interval '1 millisecond'
                       * (${retriedFor}::int[])[1 + attempts - attempts_max + ${ATTEMPTS_MAX}])
              from deliveries
             where state = 'pending'
               and attempts_max >= ${ATTEMPTS_MAX}
               and endpoint_id <> all (${[...paused]}::uuid[])) as "oldestDueAt",
           (select count(*) from deliveries where state = 'failed') as "failed"`)
}
