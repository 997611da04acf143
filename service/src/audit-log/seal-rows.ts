import { sql } from 'kysely'
import type { Millis } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import type { Queries } from '../store/queries.ts'
import type { AuditHead, SealableEntry } from './audit-head.ts'

/** A seal with its current entry; its columns are null if the entry was deleted. */
export type SealRow = AuditHead & { entry_id: string } & (
    | SealableEntry
    | { [column in keyof SealableEntry]: null }
  )

/** Every column of an entry as exact text. */
const ENTRY = sql.raw(`
  l.id::text as id, extract(epoch from l.at)::text as at, l.org_id::text as org_id,
  l.actor, l.action, l.object, l.details::text as details`)

/**
 * A seal with a higher number is forged. Sealing continues below it; verification reports the
 * numbers between as missing.
 */
const SEQUENCE_MAX = 999_999_999_999_999

/** The last seal, or null. */
export async function selectHead(tx: Tx): Promise<AuditHead | null> {
  return tx.maybe(sql<AuditHead>`
    select sequence, encode(hash, 'hex') as hash
      from audit_seals
     where sequence <= ${SEQUENCE_MAX}
     order by sequence desc
     limit 1`)
}

/** Unsealed entries by id; `forged` if a seal exists. Deleted entries are left to `selectLost`. */
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

/** Seals after a number, in order, with their entries. */
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

/** Number of unsealed entries, and the time of the oldest. */
export async function selectWaiting(tx: Tx): Promise<{ count: number; oldest_at: Millis | null }> {
  return tx.one(sql<{ count: number; oldest_at: Millis | null }>`
    select count(*) as count, min(l.at) as oldest_at
      from unsealed_entries u
      left join audit_log l on l.id = u.entry_id`)
}

/** The first entry that will never be sealed (inserted without the trigger), or null. */
export async function selectNeverSealed(tx: Tx): Promise<string | null> {
  const { id } = await tx.one(sql<{ id: string | null }>`
    select min(l.id)::text as id
      from audit_log l
     where not exists (select from audit_seals s where s.entry_id = l.id)
       and not exists (select from unsealed_entries u where u.entry_id = l.id)`)
  return id
}

/** The first entry that was deleted before it was sealed, or null. */
export async function selectLost(tx: Tx): Promise<string | null> {
  const { id } = await tx.one(sql<{ id: string | null }>`
    select min(u.entry_id)::text as id
      from unsealed_entries u
     where not exists (select from audit_log l where l.id = u.entry_id)`)
  return id
}

/** Marks entries that would never be sealed as unsealed. Needs the owner's rights. */
export async function insertWaiting(session: Queries): Promise<number> {
  return session.run(sql`
    insert into unsealed_entries
      (entry_id)
    select l.id
      from audit_log l
     where not exists (select from audit_seals s where s.entry_id = l.id)
       and not exists (select from unsealed_entries u where u.entry_id = l.id)`)
}

/** Removes the marks of deleted entries. */
export async function deleteLost(session: Queries): Promise<number> {
  return session.run(sql`
    delete from unsealed_entries u
     where not exists (select from audit_log l where l.id = u.entry_id)`)
}

/** The newest sealed entries of an organization, with the hash of the seal before theirs. */
export function selectOwnSeals(
  tx: Tx,
  { orgId, limit }: { orgId: string; limit: number },
): Promise<(AuditHead & SealableEntry & { previous: string | null })[]> {
  return tx.many(sql<AuditHead & SealableEntry & { previous: string | null }>`
    select s.sequence, encode(s.hash, 'hex') as hash, encode(b.hash, 'hex') as previous, ${ENTRY}
      from (select *
              from audit_log
             where org_id = ${orgId}
             order by at desc, id desc
             limit ${limit}) l
      join audit_seals s on s.entry_id = l.id
      left join audit_seals b on b.sequence = s.sequence - 1`)
}

/** Number of unsealed entries of an organization. */
export async function selectOwnWaiting(tx: Tx, orgId: string): Promise<number> {
  const { count } = await tx.one(sql<{ count: number }>`
    select count(*) as count
      from unsealed_entries u
      join audit_log l on l.id = u.entry_id
     where l.org_id = ${orgId}`)
  return count
}
