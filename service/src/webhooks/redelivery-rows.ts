import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import type { EventFilter } from './event.ts'
import { conditions, events, numberIn, readSpan } from './event-rows.ts'
import { ATTEMPTS_MAX } from './schedule.ts'

/** What one statement did. */
export interface RedeliveredRows {
  /** How many events it looked at. */
  matched: number
  /** How many of them are sent again; the others were being sent at this moment. */
  sent: number
  /** The number of the last one; null where there was none. */
  last: number | null
}

/**
 * Puts deliveries in line anew: of the events that match, the first ones above a number, up to
 * another. One that is leased is being sent at this moment and stays as it is; one that has no
 * delivery gets its first. There is never a second row for an event. The round of attempts begins
 * anew. One that still waits goes where it was to go: what tells the URL before of a new one must
 * not be turned to the new one. What was over goes to the organization's URL, wherever it went. A
 * row that somebody else holds at this moment is being sent or put in line by them: it is passed
 * over, so that however many ask at once, nobody waits for anybody, nor in a circle.
 */
export async function redeliverRows(
  tx: Tx,
  given: {
    orgId: string
    filter: EventFilter & { id?: string }
    above: number
    upTo: number
    limit: number
    dueAt: Millis
  },
): Promise<RedeliveredRows> {
  const { orgId, filter } = given
  const number = numberIn(filter)
  const due = iso(given.dueAt)
  const span = await readSpan(tx, given)
  return tx.one(sql<RedeliveredRows>`
      with matching as materialized (
        select e.id, e.sequence, d.state
          from ${events(filter)}
         where ${conditions(given, span)}
           ${filter.id === undefined ? sql`` : sql`and e.id = ${filter.id}`}
           and ${number} > ${given.above}
           and ${number} <= ${given.upTo}
         order by ${number}
         limit ${given.limit}
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
