import { sql } from 'kysely'
import type { Tx } from './database.ts'

export interface LeaseKey {
  name: string
  holder: string
  token: number
}

/**
 * Takes a free or expired lease (token + 1), or renews the holder's own. Null while another process
 * holds it, unless its witness, the backend `<pid>/<start>` at the end of the holder's name, has
 * ended. The start of other users' backends may be hidden; then the pid alone is compared, and a
 * reused pid only delays the takeover. The time is read after the row lock is acquired.
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

/** Sets the end of a valid lease to `ttlMs` from now. Returns the number of rows (0 or 1). */
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
 * The same for several valid leases. Skips those that a transaction has locked, so that a slow one
 * delays no other. Returns the names of the others.
 */
export async function updateLeases(
  tx: Tx,
  leases: readonly LeaseKey[],
  ttlMs: number,
): Promise<string[]> {
  const rows = await tx.many(sql<{ name: string }>`
    update leases
       set expires_at = clock_timestamp() + ${ttlMs} * interval '1 millisecond'
      from (select l.name
              from unnest(
                   ${leases.map(({ name }) => name)}::text[],
                   ${leases.map(({ holder }) => holder)}::text[],
                   ${leases.map(({ token }) => token)}::bigint[]) as held (name, holder, token)
              join leases l using (name, holder, token)
             where l.expires_at > clock_timestamp()
               for update of l skip locked) as free
     where leases.name = free.name
    returning leases.name`)
  return rows.map(({ name }) => name)
}

/**
 * Locks a valid lease for the rest of the transaction, so that it has no takeover before the
 * commit.
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
