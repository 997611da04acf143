import { sql } from 'kysely'
import { iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'

export async function selectSwitches(
  tx: Tx,
  orgId: string,
): Promise<{ subject: string; enabled: boolean }[]> {
  return tx.many(sql<{ subject: string; enabled: boolean }>`
    select subject, enabled
      from org_switches
     where org_id = ${orgId}`)
}

export async function upsertSwitch(
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

/** The subjects that at least one organization has switched on. */
export async function selectSwitchedOn(tx: Tx): Promise<{ subject: string }[]> {
  return tx.many(sql<{ subject: string }>`
    select distinct subject
      from org_switches
     where enabled`)
}
