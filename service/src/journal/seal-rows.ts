import { sql } from 'kysely'
import type { Millis } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import type { Queries } from '../store/queries.ts'
import type { AuditHead, SealableEntry } from './audit-head.ts'

/** A seal with its entry as it is now; `id` is null where that is gone. */
export type SealRow = AuditHead & { entry_id: string } & (
    | SealableEntry
    | { [column in keyof SealableEntry]: null }
  )

/** Every column of an entry as text, in which nothing is rounded. */
const ENTRY = sql.raw(`
  l.id::text as id, extract(epoch from l.at)::text as at, l.org_id::text as org_id,
  l.actor, l.action, l.object, l.details::text as details`)

/**
 * Whoever may add a seal may forge one with a number beyond all that we can count. The sealing goes
 * on below such a seal; who verifies gets there, and finds the numbers between missing.
 */
const SEQUENCE_MAX = 999_999_999_999_999

/** The last seal; null where there is none. */
export async function selectHead(tx: Tx): Promise<AuditHead | null> {
  return tx.maybe(sql<AuditHead>`
    select sequence, encode(hash, 'hex') as hash
      from audit_seals
     where sequence <= ${SEQUENCE_MAX}
     order by sequence desc
     limit 1`)
}

/**
 * Entries that wait for their seal, by id; `forged` where somebody else made it. One that is gone
 * by now goes on waiting, for who looks.
 */
export async function selectUnsealed(
  tx: Tx,
  limit: number,
): Promise<{ forged: boolean; entry: SealableEntry }[]> {
  const rows = await tx.many(sql<SealableEntry & { forged: boolean }>`
    select s.entry_id is not null as forged, ${ENTRY}
      from unsealed_entries u
      join audit_log l on l.id = u.entry_id
      left join audit_seals s on s.entry_id = u.entry_id
     order by u.entry_id
     limit ${limit}`)
  return rows.map(({ forged, ...entry }) => ({ forged, entry }))
}

export async function insertSeals(
  tx: Tx,
  seals: readonly (AuditHead & { entryId: string })[],
): Promise<void> {
  await tx.run(sql`
    insert into audit_seals
      (sequence, entry_id, hash)
    select s.sequence, s.entry_id, decode(s.hash, 'hex')
      from unnest(
             ${seals.map(({ sequence }) => sequence)}::bigint[],
             ${seals.map(({ entryId }) => entryId)}::bigint[],
             ${seals.map(({ hash }) => hash)}::text[]
           ) as s (sequence, entry_id, hash)`)
}

export async function deleteUnsealed(tx: Tx, ids: readonly string[]): Promise<number> {
  return tx.run(sql`
    delete from unsealed_entries
     where entry_id = any(${ids}::bigint[])`)
}

/** Seals after this one, in their order, each with its entry. */
export async function selectSeals(
  tx: Tx,
  { after, limit }: { after: number; limit: number },
): Promise<SealRow[]> {
  return tx.many(sql<SealRow>`
    select least(s.sequence, ${SEQUENCE_MAX}) as sequence, s.entry_id::text as entry_id,
           encode(s.hash, 'hex') as hash, ${ENTRY}
      from audit_seals s
      left join audit_log l on l.id = s.entry_id
     where s.sequence > ${after}
     order by s.sequence
     limit ${limit}`)
}

/** How many entries wait for a seal, and since when the oldest of them does. */
export async function selectWaiting(tx: Tx): Promise<{ count: number; oldest_at: Millis | null }> {
  return tx.one(sql<{ count: number; oldest_at: Millis | null }>`
    select count(*) as count, min(l.at) as oldest_at
      from unsealed_entries u
      left join audit_log l on l.id = u.entry_id`)
}

/**
 * The first entry that came past the trigger, or was made to wait no longer, so that it never gets
 * a seal; null where there is none.
 */
export async function selectNeverSealed(tx: Tx): Promise<string | null> {
  const { id } = await tx.one(sql<{ id: string | null }>`
    select min(l.id)::text as id
      from audit_log l
     where not exists (select from audit_seals s where s.entry_id = l.id)
       and not exists (select from unsealed_entries u where u.entry_id = l.id)`)
  return id
}

/** The first entry that was taken out before it had a seal; null where there is none. */
export async function selectLost(tx: Tx): Promise<string | null> {
  const { id } = await tx.one(sql<{ id: string | null }>`
    select min(u.entry_id)::text as id
      from unsealed_entries u
     where not exists (select from audit_log l where l.id = u.entry_id)`)
  return id
}

/** Lets entries that have no seal and wait for none wait for one. The owner's right alone. */
export async function insertWaiting(session: Queries): Promise<number> {
  return session.run(sql`
    insert into unsealed_entries
      (entry_id)
    select l.id
      from audit_log l
     where not exists (select from audit_seals s where s.entry_id = l.id)
       and not exists (select from unsealed_entries u where u.entry_id = l.id)`)
}

/** Waits no more for entries that are gone. */
export async function deleteLost(session: Queries): Promise<number> {
  return session.run(sql`
    delete from unsealed_entries u
     where not exists (select from audit_log l where l.id = u.entry_id)`)
}
