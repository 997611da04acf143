import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'

/** A row of `alerts`. */
export interface AlertRow {
  id: string
  code: string
  subject: string
  message: string
  details: Record<string, unknown>
  times: number
  raised_at: Millis
  last_at: Millis
  resolved_at: Millis | null
  org_id: string | null
  acknowledged_at: Millis | null
  acknowledged_by: string | null
}

/** Inserts an alert, or increments the open one with the same code and subject. */
export async function upsertAlert(
  tx: Tx,
  given: {
    code: string
    subject: string
    message: string
    details: Record<string, unknown>
    adds: boolean
    orgId: string | null
  },
): Promise<AlertRow> {
  const now = iso(tx.clock.now())
  return tx.one(sql<AlertRow>`
    insert into alerts as known
      (id, code, subject, message, details, raised_at, last_at, org_id)
    values
      (${tx.ids.next()}, ${given.code}, ${given.subject}, ${given.message},
       ${JSON.stringify(given.details)}::jsonb, ${now}, ${now},
       ${given.orgId})
    on conflict (code, subject) where resolved_at is null do update
       set times = known.times + 1,
           message = excluded.message,
           details = case when ${given.adds} then known.details || excluded.details
                          else excluded.details end,
           last_at = excluded.last_at
    returning *`)
}

/** Returns the alert that was open, or null. */
export async function closeAlert(
  tx: Tx,
  given: { code: string; subject: string },
): Promise<AlertRow | null> {
  return tx.maybe(sql<AlertRow>`
    update alerts
       set resolved_at = ${iso(tx.clock.now())}
     where code = ${given.code}
       and subject = ${given.subject}
       and resolved_at is null
    returning *`)
}

export async function closeAlerts(
  tx: Tx,
  given: { code: string; subjects: readonly string[] },
): Promise<void> {
  await tx.run(sql`
    update alerts
       set resolved_at = ${iso(tx.clock.now())}
     where code = ${given.code}
       and subject = any(${given.subjects}::text[])
       and resolved_at is null`)
}

export async function selectOpenSubjects(tx: Tx, code: string): Promise<string[]> {
  const rows = await tx.many(sql<{ subject: string }>`
    select subject
      from alerts
     where code = ${code}
       and resolved_at is null
     order by subject`)
  return rows.map(({ subject }) => subject)
}

export async function selectIsOpen(
  tx: Tx,
  given: { code: string; subject: string },
): Promise<boolean> {
  const { is } = await tx.one(sql<{ is: boolean }>`
    select exists (
           select
             from alerts
            where code = ${given.code}
              and subject = ${given.subject}
              and resolved_at is null) as is`)
  return is
}

/** Whether `chain.disputed` is open for a chain. Also for sluice_api, which cannot read alerts. */
export async function selectIsDisputed(tx: Tx, chainId: string): Promise<boolean> {
  const { is } = await tx.one(sql<{ is: boolean }>`
    select is_chain_disputed(${chainId}) as is`)
  return is
}

export async function selectOpenAlert(
  tx: Tx,
  given: { code: string; subject: string },
  lock = sql``,
): Promise<AlertRow | null> {
  return tx.maybe(sql<AlertRow>`
    select *
      from alerts
     where code = ${given.code}
       and subject = ${given.subject}
       and resolved_at is null
       ${lock}`)
}

/** As `selectOpenAlert`, locked until the commit. */
export function lockOpenAlert(
  tx: Tx,
  given: { code: string; subject: string },
): Promise<AlertRow | null> {
  return selectOpenAlert(tx, given, sql`for update`)
}

/** The newest alert of this code and subject, open or not, locked until the commit. */
export async function selectLastAlert(
  tx: Tx,
  given: { code: string; subject: string },
): Promise<AlertRow | null> {
  return tx.maybe(sql<AlertRow>`
    select *
      from alerts
     where code = ${given.code}
       and subject = ${given.subject}
     order by raised_at desc, id desc
     limit 1
       for update`)
}

/** Newest first; `open` selects open or resolved alerts. */
export async function selectAlerts(
  tx: Tx,
  given: { open: boolean | null; limit: number },
): Promise<AlertRow[]> {
  return tx.many(sql<AlertRow>`
    select *
      from alerts
     where ${given.open}::boolean is null
        or (resolved_at is null) = ${given.open}
     order by last_at desc, id desc
     limit ${given.limit}`)
}

export async function selectOpenCounts(tx: Tx): Promise<{ code: string; count: number }[]> {
  return tx.many(sql<{ code: string; count: number }>`
    select code, count(*) as count
      from alerts
     where resolved_at is null
     group by code
     order by code`)
}

/** Alerts raised or raised again since a time, oldest first. */
export async function selectAlertsSince(tx: Tx, since: Millis): Promise<AlertRow[]> {
  return tx.many(sql<AlertRow>`
    select *
      from alerts
     where last_at >= ${iso(since)}
     order by last_at, id`)
}
