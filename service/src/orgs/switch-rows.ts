import { sql } from 'kysely'
import { iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'

/** A row of `org_switches`. */
interface SwitchRow {
  subject: string
  /** Null if the operator has not decided. */
  enabled: boolean | null
  paused: boolean
}

export async function selectSwitches(tx: Tx, orgId: string): Promise<SwitchRow[]> {
  return tx.many(sql<SwitchRow>`
    select subject, enabled, paused
      from org_switches
     where org_id = ${orgId}`)
}

/** Stores the operator's decision. Not for sluice_api. */
export async function upsertEnabled(
  tx: Tx,
  params: { orgId: string; subject: string; enabled: boolean },
): Promise<void> {
  await tx.run(sql`
    insert into org_switches
      (org_id, subject, enabled, updated_at)
    values
      (${params.orgId}, ${params.subject}, ${params.enabled}, ${iso(tx.clock.now())})
    on conflict (org_id, subject) do update
       set enabled = excluded.enabled,
           updated_at = excluded.updated_at`)
}

/** Stores the organization's own decision. Not for sluice_engine. */
export async function upsertPaused(
  tx: Tx,
  params: { orgId: string; subject: string; paused: boolean },
): Promise<void> {
  await tx.run(sql`
    insert into org_switches
      (org_id, subject, paused, updated_at)
    values
      (${params.orgId}, ${params.subject}, ${params.paused}, ${iso(tx.clock.now())})
    on conflict (org_id, subject) do update
       set paused = excluded.paused,
           updated_at = excluded.updated_at`)
}

/** The subjects that the operator has switched on for at least one organization. */
export async function selectSwitchedOn(tx: Tx): Promise<{ subject: string }[]> {
  return tx.many(sql<{ subject: string }>`
    select distinct subject
      from org_switches
     where enabled`)
}
