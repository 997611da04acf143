import { sql } from 'kysely'
import { iso } from '../base/clock.ts'
import type { Millis } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import { judge, keptBody } from './delivery.ts'
import type { Attempt, Delivery } from './delivery.ts'

/** Below every organization's id. */
export const FIRST_ORGANIZATION = '00000000-0000-0000-0000-000000000000'

/**
 * Organizations that have a delivery due and free, by id from `after` on. It leaps from one
 * organization to the next over the index, so that a long backlog of one costs no more than a
 * single row.
 */
export async function readDueOrganizations(
  tx: Tx,
  { after, except, limit }: { after: string; except: readonly string[]; limit: number },
): Promise<string[]> {
  const now = iso(tx.clock.now())
  const rows = await tx.many(sql<{ orgId: string }>`
      with recursive waiting (org_id) as (
        (select org_id
           from deliveries
          where state = 'pending'
            and org_id > ${after}
          order by org_id
          limit 1)
         union all
        select (select d.org_id
                  from deliveries d
                 where d.state = 'pending'
                   and d.org_id > waiting.org_id
                 order by d.org_id
                 limit 1)
          from waiting
         where waiting.org_id is not null
      )
    select w.org_id as "orgId"
      from waiting w
     where w.org_id <> all (${[...except]}::uuid[])
       and exists (
             select
               from deliveries d
              where d.org_id = w.org_id
                and d.state = 'pending'
                and d.next_at <= ${now}
                and (d.leased_until is null or d.leased_until <= ${now}))
     limit ${limit}`)
  return rows.map(({ orgId }) => orgId)
}

export interface LeasedRow {
  orgId: string
  eventId: string
  attempts: number
  attemptsMax: number
  /** Its own; null where it goes to the organization's. */
  url: string | null
  body: string
}

/**
 * Leases what is due, for each organization at most its share, longest due first. What another
 * process is leasing at this moment is passed over. A row that is locked keeps its place (`ctid`),
 * and is found again there.
 */
export async function leaseDue(
  tx: Tx,
  given: { shares: ReadonlyMap<string, number>; leaseToken: string; leaseMs: number },
): Promise<LeasedRow[]> {
  const at = tx.clock.now()
  const now = iso(at)
  await lookUpEach(tx)
  return tx.many(sql<LeasedRow>`
      with due as (
        select picked.org_id, picked.event_id, picked.place
          from unnest(${[...given.shares.keys()]}::uuid[], ${[...given.shares.values()]}::int[])
            as share (org_id, most)
         cross join lateral (
           select d.org_id, d.event_id, d.ctid as place
             from deliveries d
            where d.org_id = share.org_id
              and d.state = 'pending'
              and d.next_at <= ${now}
              and (d.leased_until is null or d.leased_until <= ${now})
            order by d.next_at
            limit share.most
              for update skip locked
         ) picked
      )
    update deliveries
       set leased_until = ${iso(at + given.leaseMs)},
           lease_token = ${given.leaseToken}
      from due
      join events e on e.org_id = due.org_id and e.id = due.event_id
     where deliveries.ctid = due.place
 returning deliveries.org_id as "orgId", deliveries.event_id as "eventId",
           deliveries.attempts as "attempts", deliveries.attempts_max as "attemptsMax",
           deliveries.url as "url", e.body as "body"`)
}

/**
 * Writes attempts down and moves their deliveries on, as far as the leases are still those they
 * were made under. How many those were.
 */
export async function settleAttempts(tx: Tx, attempts: readonly Attempt[]): Promise<number> {
  const settled = attempts.map((attempt) => ({ attempt, verdict: judge(attempt) }))
  const column = <T>(pick: (row: (typeof settled)[number]) => T): T[] => settled.map(pick)
  const spell = isoOfMany()
  await lookUpEach(tx)
  return tx.run(sql`
      with outcome as (
        select *
          from unnest(
            ${lines(column(({ attempt }) => attempt.delivery.orgId))}::uuid[],
            ${lines(column(({ attempt }) => attempt.delivery.eventId))}::uuid[],
            ${lines(column(({ attempt }) => attempt.delivery.leaseToken))}::uuid[],
            ${lines(column(({ attempt }) => attempt.number))}::int[],
            ${lines(column(({ verdict }) => verdict.state))}::text[],
            ${lines(column(({ verdict }) => spell(verdict.nextAt)))}::timestamptz[],
            ${lines(column(({ verdict }) => spell(verdict.finishedAt)))}::timestamptz[],
            ${column(({ attempt }) => attempt.url)}::text[],
            ${lines(column(({ attempt }) => JSON.stringify(attempt.headers)))}::jsonb[],
            ${lines(column(({ attempt }) => attempt.answer.status))}::int[],
            ${lines(column(({ attempt }) => JSON.stringify(attempt.answer.headers)))}::text[],
            ${column(({ attempt }) => keptBody(attempt.answer))}::text[],
            ${column(({ attempt }) => attempt.answer.error)}::text[],
            ${lines(column(({ attempt }) => spell(attempt.startedAt)))}::timestamptz[],
            ${lines(column(({ attempt }) => spell(attempt.endedAt)))}::timestamptz[])
            as o (org_id, event_id, lease_token, number, state, next_at, finished_at, url, headers,
                  status, response_headers, response_body, error, started_at, ended_at)
      ), moved as (
        update deliveries d
           set state = o.state,
               attempts = o.number,
               next_at = o.next_at,
               finished_at = o.finished_at,
               leased_until = null,
               lease_token = null
          from outcome o
         where d.org_id = o.org_id
           and d.event_id = o.event_id
           and d.lease_token = o.lease_token
     returning o.*
      )
    insert into delivery_attempts (org_id, event_id, number, url, request_headers, status,
                                   response_headers, response_body, error, started_at, finished_at)
    select o.org_id, o.event_id, o.number, o.url, o.headers, o.status,
           o.response_headers, o.response_body, o.error, o.started_at, o.ended_at
      from moved o
     order by o.ended_at`)
}

/**
 * For the rest of the transaction a list of rows is looked up one by one: for some hundred of them
 * the planner would rather read these tables whole, which only ever grow (measured: half of what
 * the database had to do).
 */
async function lookUpEach(tx: Tx): Promise<void> {
  await tx.run(sql`
    select set_config('enable_seqscan', 'off', true),
           set_config('enable_hashjoin', 'off', true),
           set_config('enable_mergejoin', 'off', true)`)
}

/** Gives leased deliveries back untried, as far as the leases are still ours. */
export async function releaseDeliveries(tx: Tx, deliveries: readonly Delivery[]): Promise<number> {
  return tx.run(sql`
    update deliveries d
       set leased_until = null,
           lease_token = null
      from unnest(
             ${deliveries.map(({ orgId }) => orgId)}::uuid[],
             ${deliveries.map(({ eventId }) => eventId)}::uuid[],
             ${deliveries.map(({ leaseToken }) => leaseToken)}::uuid[])
             as g (org_id, event_id, lease_token)
     where d.org_id = g.org_id
       and d.event_id = g.event_id
       and d.lease_token = g.lease_token`)
}

/** How much waits, since when, and how much was given up. */
export interface OutboxDepth {
  /** Deliveries that are still to be made, those waiting for a retry included. */
  pending: number
  /** When the one longest due became due, in milliseconds; null where none waits. */
  oldestDueAt: Millis | null
  /** Deliveries failed for good. */
  failed: number
}

export async function readDepth(tx: Tx): Promise<OutboxDepth> {
  return tx.one(sql<OutboxDepth>`
    select (select count(*) from deliveries where state = 'pending') as "pending",
           (select min(next_at) from deliveries where state = 'pending') as "oldestDueAt",
           (select count(*) from deliveries where state = 'failed') as "failed"`)
}

/**
 * A list as one text, a value a line and an empty line for null: as a list each value would be
 * escaped and unescaped, the larger part of what a statement costs us. Not for values that may hold
 * a line end, or be empty.
 */
function lines(values: readonly (string | number | null)[]) {
  return sql`string_to_array(${values.join('\n')}, ${'\n'}, '')`
}

/** Timestamps of one batch: most are the same few milliseconds, each spelled once. */
function isoOfMany(): (at: Millis | null) => string | null {
  const spelled = new Map<Millis, string>()
  return (at) => {
    if (at === null) return null
    const text = spelled.get(at) ?? iso(at)
    spelled.set(at, text)
    return text
  }
}
