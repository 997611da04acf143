import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'

/** Requests of one subject since the start of its current window. */
export interface Counted {
  requests: number
  window_start: Millis
}

/**
 * Counts one request; a window that is over gives way to one that begins now. So does one that lies
 * a whole window ahead: a clock that was set back must keep nobody away.
 */
export async function addRequest(
  tx: Tx,
  { subject, windowMs }: { subject: Uint8Array; windowMs: Millis },
): Promise<Counted> {
  const now = tx.clock.now()
  const isOn = sql`
    c.window_start > ${iso(now - windowMs)} and c.window_start <= ${iso(now + windowMs)}`
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
 * Adds what several subjects sent in one and the same window, and answers with the sums so far. In
 * the order of the subjects, so that two processes never wait for each other crosswise. One that
 * lies a whole window ahead gives way, as above.
 */
export async function addRequests(
  tx: Tx,
  given: {
    windowStart: Millis
    windowMs: Millis
    added: readonly { subject: Uint8Array; requests: number }[]
  },
): Promise<{ subject: Uint8Array; requests: number }[]> {
  const ahead = iso(tx.clock.now() + given.windowMs)
  return tx.many(sql<{ subject: Uint8Array; requests: number }>`
    insert into request_counts as c
      (subject, window_start, requests)
    select a.subject, ${iso(given.windowStart)}, a.requests
      from unnest(
             ${given.added.map(({ subject }) => Buffer.from(subject))}::bytea[],
             ${given.added.map(({ requests }) => requests)}::bigint[]
           ) as a (subject, requests)
     order by a.subject
    on conflict (subject) do update
       set requests =
             case when c.window_start < excluded.window_start or c.window_start > ${ahead}
                  then excluded.requests
                  when c.window_start = excluded.window_start then c.requests + excluded.requests
                  else c.requests
             end,
           window_start =
             case when c.window_start > ${ahead} then excluded.window_start
                  else greatest(c.window_start, excluded.window_start)
             end
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
