import { type RawBuilder, sql } from 'kysely'
import type { Endpoint } from '../orgs/endpoint.ts'
import type { Tx } from '../store/database.ts'
import type { EventFilter } from './event.ts'
import { conditions, events, numberIn, readSpan, type Span, walkInOrder } from './event-rows.ts'
import { isReceived } from './redelivery-rows.ts'

/** The events to count, and the endpoint that a redelivery would send them to. */
interface Counting {
  orgId: string
  filter: EventFilter
  endpoint: Pick<Endpoint, 'eventTypes'>
  limit: number
}

/** The number of matching events, and of those that a redelivery sends. */
interface Counted {
  count: number
  redeliverable: number
}

/** Counts the newest `limit` matching events. */
export async function countEvents(tx: Tx, counting: Counting): Promise<Counted> {
  const span = await readSpan(tx, counting)
  if (counting.filter.delivery !== 'pending') await walkInOrder(tx)
  return tx.one(countQuery(counting, span))
}

/** The statement that counts; it reads as many events as it counts. */
export function countQuery(counting: Counting, span: Span): RawBuilder<Counted> {
  const { filter, endpoint, limit } = counting
  return sql<Counted>`
    select count(*)::int as "count",
           count(*) filter (where is_sent)::int as "redeliverable"
      from (select ${isReceived(endpoint)} as is_sent
              from ${events(counting)}
             where ${conditions(counting, span)}
             order by ${numberIn(filter)} desc
             limit ${limit}) counted`
}
