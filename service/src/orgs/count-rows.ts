import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'

/** Requests of one subject since the start of its current window. */
export interface Counted {
  requests: number
  window_start: Millis
}

/** Counts one request in the current window, or in a new window that starts now. */
export async function addRequest(
  tx: Tx,
  { subject, windowMs }: { subject: Uint8Array; windowMs: Millis },
): Promise<Counted> {
  const now = tx.clock.now()
  const isOn = sql`c.window_start > ${iso(now - windowMs)}`
  return tx.one(sql<Counted>`
    insert into request_counts as c
      (subject, window_start, requests)
    values
      (${subject}, ${iso(now)}, 1)
    on conflict (subject) do update
       set requests = case when ${isOn} then c.requests + 1 else 1 end,
           window_start = case when ${isOn} then c.window_start else excluded.window_start end
    returning requests, window_start`)
}

/**
 * Adds the requests of several subjects in the same window and returns the sums so far. Ordered by
 * subject, so that two processes never deadlock.
 */
export async function addRequests(
  tx: Tx,
  params: {
    windowStart: Millis
    added: readonly { subject: Uint8Array; requests: number }[]
  },
): Promise<{ subject: Uint8Array; requests: number }[]> {
  return tx.many(sql<{ subject: Uint8Array; requests: number }>`
    insert into request_counts as c
      (subject, window_start, requests)
    select a.subject, ${iso(params.windowStart)}, a.requests
      from unnest(
             ${params.added.map(({ subject }) => Buffer.from(subject))}::bytea[],
             ${params.added.map(({ requests }) => requests)}::bigint[]
           ) as a (subject, requests)
     order by a.subject
    on conflict (subject) do update
       set requests =
             case when c.window_start < excluded.window_start
                  then excluded.requests
                  when c.window_start = excluded.window_start then c.requests + excluded.requests
                  else c.requests
             end,
           window_start = greatest(c.window_start, excluded.window_start)
    returning subject, requests`)
}

export async function deleteCount(tx: Tx, subject: Uint8Array): Promise<void> {
  await tx.run(sql`
    delete from request_counts
     where subject = ${subject}`)
}

export async function deleteCounts(tx: Tx, { before }: { before: Millis }): Promise<number> {
  return tx.run(sql`
    delete from request_counts
     where window_start < ${iso(before)}`)
}
