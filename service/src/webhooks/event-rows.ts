import { type RawBuilder, sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import { joinConditions } from '../store/conditions.ts'
import type { EventFilter, StoredAttempt, StoredDelivery, StoredEvent } from './event.ts'
import { headersAsSent } from './sent-headers.ts'

/**
 * Longer than any transaction, and than the difference of two clocks. The number of an event of a
 * given time is between those of events that are this much older and newer.
 */
const SLACK_MS: Millis = 3_600_000

/** The filter of events. */
interface Narrowed {
  orgId: string
  filter: EventFilter
}

/** A page in the order of numbers, ascending or descending from a position. */
export async function selectEvents(
  tx: Tx,
  params: Narrowed & { place: { id: string } | null; isUpwards: boolean; limit: number },
): Promise<StoredEvent[]> {
  const { filter, place, isUpwards, limit } = params
  const span = await readSpan(tx, params)
  if (filter.delivery !== 'pending') await walkInOrder(tx)
  return tx.many(sql<StoredEvent>`
    select ${columns}
      from ${events(params)}
      ${last}
     where ${conditions(params, span)}
       ${place === null ? sql`` : beyond(params, { id: place.id, isUpwards })}
     order by ${numberIn(filter)} ${isUpwards ? sql`asc` : sql`desc`}
     limit ${limit}`)
}

/**
 * One event with the state of its delivery to an endpoint, by default to the default one; null if
 * the organization has no event with this id.
 */
export async function selectEvent(
  tx: Tx,
  { orgId, id, endpointId = orgId }: { orgId: string; id: string; endpointId?: string },
): Promise<StoredEvent | null> {
  return tx.maybe(sql<StoredEvent>`
    select ${columns}
      from ${events({ orgId, filter: { endpointId } })}
      ${last}
     where e.org_id = ${orgId}
       and e.id = ${id}`)
}

/** The organization of an event, among the visible ones. */
export async function selectOwner(tx: Tx, id: string): Promise<string | null> {
  const row = await tx.maybe(sql<{ orgId: string }>`
    select org_id as "orgId"
      from events
     where id = ${id}`)
  return row?.orgId ?? null
}

/** An event's deliveries, the default endpoint's first. */
export async function selectDeliveries(
  tx: Tx,
  { orgId, eventId }: { orgId: string; eventId: string },
): Promise<StoredDelivery[]> {
  return tx.many(sql<StoredDelivery>`
    select d.endpoint_id as "endpointId", d.state, d.attempts, d.next_at as "nextAt",
           d.finished_at as "finishedAt", last.status as "lastStatus",
           coalesce(last.error, '') as "lastError"
      from deliveries d
      ${last}
     where d.org_id = ${orgId}
       and d.event_id = ${eventId}
     order by d.endpoint_id <> d.org_id, d.endpoint_id`)
}

/** The newest attempts of an event's deliveries, newest first. */
export async function selectAttempts(
  tx: Tx,
  { orgId, eventId, limit }: { orgId: string; eventId: string; limit: number },
): Promise<StoredAttempt[]> {
  const rows = await tx.many(sql<AttemptRow>`
    select endpoint_id as "endpointId", number, url, request_headers as "requestHeaders",
           request_signature as "signature", status,
           response_headers::jsonb as "responseHeaders", response_body as "responseBody", error,
           started_at as "startedAt", finished_at as "finishedAt"
      from delivery_attempts
     where org_id = ${orgId}
       and event_id = ${eventId}
     order by number desc, id desc
     limit ${limit}`)
  return rows.map(({ signature, requestHeaders, ...attempt }) => ({
    ...attempt,
    requestHeaders: signature === null ? (requestHeaders ?? {}) : headersAsSent(eventId, signature),
  }))
}

/** Attempts from before headers were stored separately contain them in full. */
type AttemptRow = Omit<StoredAttempt, 'requestHeaders'> & {
  requestHeaders: StoredAttempt['requestHeaders'] | null
  signature: string | null
}

/** The number of the organization's newest event. */
export async function selectLastSequence(tx: Tx, orgId: string): Promise<number> {
  const row = await tx.one(sql<{ last: number }>`
    select last_sequence as "last"
      from event_counters
     where org_id = ${orgId}`)
  return row.last
}

/** The numbers of the newest events of these organizations. */
export async function selectLastSequences(
  tx: Tx,
  orgIds: readonly string[],
): Promise<{ orgId: string; last: number }[]> {
  return tx.many(sql<{ orgId: string; last: number }>`
    select org_id as "orgId", last_sequence as "last"
      from event_counters
     where org_id = any(${orgIds}::uuid[])`)
}

/** Deletes up to `limit` attempts that ended before a time, oldest first. Returns their number. */
export async function deleteAttempts(
  tx: Tx,
  { before, limit }: { before: Millis; limit: number },
): Promise<number> {
  return tx.run(sql`
    delete from delivery_attempts
     where id in (
             select id
               from (select id, finished_at
                       from delivery_attempts
                      order by id
                      limit ${limit}) oldest
              where finished_at < ${iso(before)})`)
}

const columns = sql`
           e.id, e.org_id as "orgId", e.sequence, e.type, e.subject_id as "subjectId", e.body,
           e.created_at as "createdAt", coalesce(d.state, 'none') as "state",
           coalesce(d.attempts, 0) as "attempts", d.next_at as "nextAt",
           d.finished_at as "finishedAt", last.status as "lastStatus",
           coalesce(last.error, '') as "lastError"`

const last = sql`
      left join lateral (
           select a.status, a.error
             from delivery_attempts a
            where a.org_id = d.org_id
              and a.event_id = d.event_id
              and a.endpoint_id = d.endpoint_id
            order by a.number desc
            limit 1) last on true`

/**
 * Makes the transaction read events in the order of their numbers until there are enough: the
 * planner cannot know the numbers of a time and would read and sort these tables completely
 * (measured: seconds for a page of a million). Pending events are few or all at the front, and are
 * left to the planner.
 */
export async function walkInOrder(tx: Tx): Promise<void> {
  await tx.run(sql`
    select set_config('enable_seqscan', 'off', true),
           set_config('enable_bitmapscan', 'off', true),
           set_config('enable_hashjoin', 'off', true),
           set_config('enable_mergejoin', 'off', true),
           set_config('enable_sort', 'off', true)`)
}

/** After the event of this id; empty if the event does not exist. */
function beyond(
  { orgId, filter }: Narrowed,
  { id, isUpwards }: { id: string; isUpwards: boolean },
): RawBuilder<unknown> {
  return sql`and ${numberIn(filter)} ${isUpwards ? sql`>` : sql`<`}
           (select c.sequence from events c where c.org_id = ${orgId} and c.id = ${id})`
}

/**
 * Events with their deliveries to one endpoint, `e` and `d`; with a state filter only events with a
 * delivery.
 */
export function events({ orgId, filter }: Narrowed): RawBuilder<unknown> {
  const { delivery, endpointId = orgId } = filter
  const isSome = delivery !== undefined && delivery !== 'none'
  return sql`events e ${isSome ? sql`join` : sql`left join`} deliveries d
        on d.org_id = e.org_id and d.event_id = e.id and d.endpoint_id = ${endpointId}
       and d.sequence = e.sequence`
}

/**
 * The number that orders and bounds: failed deliveries have an index, which the planner uses only
 * if the state is a literal in the statement. The events of one record have their own.
 */
export function numberIn(filter: EventFilter): RawBuilder<unknown> {
  return isByFailure(filter) ? sql`d.sequence` : sql`e.sequence`
}

function isByFailure({ delivery, subjectId }: EventFilter): boolean {
  return delivery === 'failed' && subjectId === undefined
}

/** The conditions of the filter on `events`. */
export function conditions({ orgId, filter }: Narrowed, span: Span): RawBuilder<unknown> {
  const { after, type, subjectId, from, to } = filter
  const number = numberIn(filter)
  return joinConditions(
    [
      sql`e.org_id = ${orgId}`,
      isByFailure(filter) && sql`d.endpoint_id = ${filter.endpointId ?? orgId}`,
      stateIn(filter),
      after !== undefined && sql`${number} > ${after}`,
      // As a literal, it lets the planner use the index of rarer types.
      type !== undefined && sql`e.type = ${sql.lit(type)}`,
      subjectId !== undefined && sql`e.subject_id = ${subjectId}`,
      from !== undefined && sql`e.created_at >= ${iso(from)} and ${number} > ${span.above}`,
      to !== undefined && sql`e.created_at <= ${iso(to)} and ${number} < ${span.below}`,
    ],
    sql` and `,
  )
}

function stateIn({ delivery }: EventFilter): RawBuilder<unknown> | false {
  if (delivery === undefined) return false
  return delivery === 'none' ? sql`d.event_id is null` : sql`d.state = ${sql.lit(delivery)}`
}

/** The bounds, exclusive, of the numbers of the events of a time. */
export interface Span {
  above: number
  below: number
}

/**
 * The bounds of the numbers of the events of a period. Ids begin with their time, so each bound
 * takes one index lookup.
 */
export async function readSpan(tx: Tx, { orgId, filter: { from, to } }: Narrowed): Promise<Span> {
  const before = from === undefined ? null : idAt(from - SLACK_MS)
  const after = to === undefined ? null : idAt(to + SLACK_MS)
  if (before === null && after === null) return EVERYWHERE
  const found = await tx.one(sql<{ above: number | null; below: number | null }>`
    select (select sequence
              from events
             where org_id = ${orgId}
               and id < ${before}::uuid
             order by id desc
             limit 1) as "above",
           (select sequence
              from events
             where org_id = ${orgId}
               and id > ${after}::uuid
             order by id
             limit 1) as "below"`)
  return { above: found.above ?? EVERYWHERE.above, below: found.below ?? EVERYWHERE.below }
}

const EVERYWHERE: Span = { above: 0, below: Number.MAX_SAFE_INTEGER }

/** A UUID below every id of this time, and above every earlier one (RFC 9562, 5.7). */
function idAt(at: Millis): string {
  const time = Math.max(at, 0).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}
