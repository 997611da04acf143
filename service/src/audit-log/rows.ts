import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import type { Queries } from '../store/queries.ts'

/** A row of `audit_log`. */
export interface AuditRow {
  id: number
  at: Millis
  org_id: string | null
  actor: string
  action: string
  object: string
  details: Record<string, unknown>
}

export interface NewEntry {
  at: Millis
  orgId: string | null
  actor: string
  action: string
  object: string
  details: Record<string, unknown>
}

export function insertAudit(session: Queries, entry: NewEntry): Promise<void> {
  return insertAudits(session, [entry])
}

export async function insertAudits(session: Queries, entries: readonly NewEntry[]): Promise<void> {
  await session.run(sql`
    insert into audit_log
      (at, org_id, actor, action, object, details)
    select *
      from unnest(
             ${entries.map(({ at }) => iso(at))}::timestamptz[],
             ${entries.map(({ orgId }) => orgId)}::uuid[],
             ${entries.map(({ actor }) => actor)}::text[],
             ${entries.map(({ action }) => action)}::text[],
             ${entries.map(({ object }) => object)}::text[],
             ${entries.map(({ details }) => JSON.stringify(details))}::jsonb[]
           )`)
}

/** The time of the last entry of an action, or null. */
export async function selectLastDone(tx: Tx, action: string): Promise<Millis | null> {
  const { at } = await tx.one(sql<{ at: Millis | null }>`
    select max(at) as at
      from audit_log
     where action = ${action}`)
  return at
}

/** The newest entry with one of the actions for each object. */
export async function selectLastActions(
  tx: Tx,
  { objects, actions }: { objects: readonly string[]; actions: readonly string[] },
): Promise<Map<string, Pick<AuditRow, 'action' | 'details'>>> {
  const rows = await tx.many(sql<Pick<AuditRow, 'object' | 'action' | 'details'>>`
    select distinct on (object) object, action, details
      from audit_log
     where object = any(${objects}::text[])
       and action = any(${actions}::text[])
     order by object, id desc`)
  return new Map(rows.map(({ object, ...last }) => [object, last]))
}
