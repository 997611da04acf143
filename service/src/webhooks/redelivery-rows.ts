import { type RawBuilder, sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Endpoint } from '../orgs/endpoint.ts'
import type { Tx } from '../store/database.ts'
import type { EventFilter } from './event.ts'
import { conditions, events, numberIn, readSpan } from './event-rows.ts'
import { ATTEMPTS_MAX } from './schedule.ts'

/** Events of an organization, between two numbers, and the endpoint that they are sent to. */
interface Selection {
  orgId: string
  filter: EventFilter & { id?: string }
  above: number
  upTo: number
  limit: number
  dueAt: Millis
  endpoint: Pick<Endpoint, 'id' | 'eventTypes'>
}

/** The result of one statement. */
export interface RedeliveredRows {
  /** The number of events examined. */
  matched: number
  /** The number of events queued; the others were being sent. */
  sent: number
  /** The number of the last event; null without events. */
  last: number | null
}

/**
 * Queues deliveries again for the first matching events between two numbers. A leased delivery is
 * being sent and stays unchanged; an event without a delivery gets its first, unless the endpoint
 * does not receive its type. An event never has two rows for one endpoint. The attempts restart. A
 * pending delivery keeps its URL: the event that notifies a
 * former URL of its replacement must not go to the new URL. A finished delivery goes to the
 * endpoint's URL, even if it had its own. Rows that another transaction has locked are being
 * sent or queued there and are skipped, so that concurrent calls neither wait nor deadlock.
 */
export async function redeliverRows(tx: Tx, params: Selection): Promise<RedeliveredRows> {
  const { orgId, filter, endpoint } = params
  const number = numberIn(filter)
  const due = iso(params.dueAt)
  const span = await readSpan(tx, params)
  return tx.one(sql<RedeliveredRows>`
      with matching as materialized (
        select e.id, e.sequence, d.state
          from ${events(params)}
         where ${conditions(params, span)}
           and ${filter.id === undefined ? isReceived(endpoint) : sql`e.id = ${filter.id}`}
           and ${number} > ${params.above}
           and ${number} <= ${params.upTo}
         order by ${number}
         limit ${params.limit}
      ), held as materialized (
        select d.event_id
          from matching m
          join deliveries d
            on d.org_id = ${orgId} and d.event_id = m.id and d.endpoint_id = ${endpoint.id}
         where d.state = m.state
           and (d.state <> 'pending'
                or d.leased_until is null
                or d.leased_until <= ${iso(tx.clock.now())})
           for update of d skip locked
      ), moved as (
        update deliveries
           set state = 'pending',
               next_at = ${due},
               finished_at = null,
               leased_until = null,
               lease_token = null,
               attempts_max = deliveries.attempts + ${ATTEMPTS_MAX},
               url = case when deliveries.state = 'pending' then deliveries.url end,
               url_mac = case when deliveries.state = 'pending' then deliveries.url_mac end
          from held
         where deliveries.org_id = ${orgId}
           and deliveries.event_id = held.event_id
           and deliveries.endpoint_id = ${endpoint.id}
     returning deliveries.event_id
      ), added as (
        insert into deliveries (org_id, event_id, endpoint_id, sequence, state, next_at)
        select ${orgId}, m.id, ${endpoint.id}::uuid, m.sequence, 'pending', ${due}
          from matching m
         where m.state is null
            on conflict do nothing
     returning event_id
      )
    select (select count(*) from matching) as "matched",
           (select count(*) from moved) + (select count(*) from added) as "sent",
           (select max(sequence) from matching) as "last"`)
}

/** Events that have a delivery, or whose type the endpoint receives; tests have one receiver. */
export function isReceived({ eventTypes }: Pick<Endpoint, 'eventTypes'>): RawBuilder<boolean> {
  const passes = eventTypes.length === 0 ? sql`` : sql`and e.type = any (${[...eventTypes]})`
  return sql<boolean>`(d.state is not null or e.type <> 'webhook.test' ${passes})`
}

/** Ends up to `limit` pending deliveries of a deleted endpoint. Returns their number. */
export async function endPending(
  tx: Tx,
  { orgId, endpointId, limit }: { orgId: string; endpointId: string; limit: number },
): Promise<number> {
  return tx.run(sql`
    update deliveries d
       set state = 'failed',
           next_at = null,
           finished_at = ${iso(tx.clock.now())},
           leased_until = null,
           lease_token = null
      from (select event_id
              from deliveries
             where org_id = ${orgId}
               and endpoint_id = ${endpointId}
               and state = 'pending'
             limit ${limit}
               for update) ended
     where d.org_id = ${orgId}
       and d.event_id = ended.event_id
       and d.endpoint_id = ${endpointId}`)
}

/** The number of pending deliveries of each of these endpoints; absent without any. */
export async function countPending(
  tx: Tx,
  endpointIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx.many(sql<{ endpointId: string; count: number }>`
    select endpoint_id as "endpointId", count(*)
      from deliveries
     where endpoint_id = any (${[...endpointIds]}::uuid[])
       and state = 'pending'
     group by endpoint_id`)
  return new Map(rows.map(({ endpointId, count }) => [endpointId, count]))
}
