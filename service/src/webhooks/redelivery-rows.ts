import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import type { EventFilter } from './event.ts'
import { conditions, events, numberIn, readSpan } from './event-rows.ts'
import { ATTEMPTS_MAX } from './schedule.ts'

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
 * being sent and stays unchanged; an event without a delivery gets its first. An event never has
 * two rows. The attempts restart. A pending delivery keeps its URL: the event that notifies a
 * former URL of its replacement must not go to the new URL. A finished delivery goes to the
 * organization's URL, even if it had its own. Rows that another transaction has locked are being
 * sent or queued there and are skipped, so that concurrent calls neither wait nor deadlock.
 */
export async function redeliverRows(
  tx: Tx,
  params: {
    orgId: string
    filter: EventFilter & { id?: string }
    above: number
    upTo: number
    limit: number
    dueAt: Millis
  },
): Promise<RedeliveredRows> {
  const { orgId, filter } = params
  const number = numberIn(filter)
  const due = iso(params.dueAt)
  const span = await readSpan(tx, params)
  return tx.one(sql<RedeliveredRows>`
      with matching as materialized (
        select e.id, e.sequence, d.state
          from ${events(filter)}
         where ${conditions(params, span)}
           ${filter.id === undefined ? sql`` : sql`and e.id = ${filter.id}`}
           and ${number} > ${params.above}
           and ${number} <= ${params.upTo}
         order by ${number}
         limit ${params.limit}
      ), held as materialized (
        select d.event_id
          from matching m
          join deliveries d on d.org_id = ${orgId} and d.event_id = m.id
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
               url = case when deliveries.state = 'pending' then deliveries.url end
          from held
         where deliveries.org_id = ${orgId}
           and deliveries.event_id = held.event_id
     returning deliveries.event_id
      ), added as (
        insert into deliveries (org_id, event_id, sequence, state, next_at)
        select ${orgId}, m.id, m.sequence, 'pending', ${due}
          from matching m
         where m.state is null
            on conflict do nothing
     returning event_id
      )
    select (select count(*) from matching) as "matched",
           (select count(*) from moved) + (select count(*) from added) as "sent",
           (select max(sequence) from matching) as "last"`)
}
