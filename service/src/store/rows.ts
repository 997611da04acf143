import { sql } from 'kysely'
import type { Tx } from './database.ts'

export interface LeaseKey {
  name: string
  holder: string
  token: number
}

/**
 * Takes a lease that is free or over (token + 1), or renews the holder's own. Null while somebody
 * else holds it, unless the backend that its name ends in, `<pid>/<start>`, is gone. Of other
 * users' backends the start may be hidden: then the pid alone must do, and one that was given away
 * again only keeps us waiting. Time is read when the row is finally ours, since a step may hold it
 * for a while.
 */
export async function upsertLease(
  tx: Tx,
  { name, holder, ttlMs }: { name: string; holder: string; ttlMs: number },
): Promise<{ token: number } | null> {
  return tx.maybe(sql<{ token: number }>`
    insert into leases (name, holder, token, expires_at)
    values (${name}, ${holder}, 1, clock_timestamp() + ${ttlMs} * interval '1 millisecond')
    on conflict (name) do update
       set holder = excluded.holder,
           token = case
             when leases.holder = excluded.holder and leases.expires_at > clock_timestamp()
             then leases.token
             else leases.token + 1
           end,
           expires_at = clock_timestamp() + ${ttlMs} * interval '1 millisecond'
     where leases.holder = excluded.holder
        or leases.expires_at <= clock_timestamp()
        or leases.holder ~ ' [0-9]+/[0-9.]+$'
           and not exists (
                 select
                   from pg_stat_activity a
                  where leases.holder like concat(
                        '% ', a.pid, '/', coalesce(extract(epoch from a.backend_start)::text, '%')))
    returning token`)
}

/** Moves a live lease's end to `ttlMs` from now; 0 ends it. How many rows that were (0 or 1). */
export async function updateLease(tx: Tx, lease: LeaseKey, ttlMs: number): Promise<number> {
  return tx.run(sql`
    update leases
       set expires_at = clock_timestamp() + ${ttlMs} * interval '1 millisecond'
     where name = ${lease.name}
       and holder = ${lease.holder}
       and token = ${lease.token}
       and expires_at > clock_timestamp()`)
}

/**
 * Holds a live lease for the rest of the transaction: nobody can take it over before the commit.
 */
export async function shareLease(tx: Tx, lease: LeaseKey): Promise<{ token: number } | null> {
  return tx.maybe(sql<{ token: number }>`
    select token
      from leases
     where name = ${lease.name}
       and holder = ${lease.holder}
       and token = ${lease.token}
       and expires_at > clock_timestamp()
       for share`)
}
