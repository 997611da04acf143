import { type RawBuilder, sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import { joinConditions } from '../store/conditions.ts'
import type { AlertRow } from './rows.ts'

/** Filters of a list of alerts. */
export interface AlertFilter {
  open?: boolean
  code?: string
}

/** One page of a list. */
export interface AlertPage {
  orgId: string
  filter: AlertFilter
  after: { createdAt: Millis; id: string } | null
  limit: number
}

/** One page of an organization's alerts, by the time they were first raised, newest first. */
export function selectAlertPage(tx: Tx, page: AlertPage): Promise<AlertRow[]> {
  return tx.many(pageQuery(page))
}

/** Statement of a page. */
export function pageQuery({ orgId, filter, after, limit }: AlertPage): RawBuilder<AlertRow> {
  const { open, code } = filter
  const parts = joinConditions([
    open === true && sql`and resolved_at is null`,
    open === false && sql`and resolved_at is not null`,
    code !== undefined && sql`and code = ${code}`,
    after !== null && sql`and (raised_at, id) < (${iso(after.createdAt)}, ${after.id})`,
  ])
  return sql<AlertRow>`
    select *
      from alerts
     where org_id = ${orgId}
       ${parts}
     order by raised_at desc, id desc
     limit ${limit}`
}

/** Stores the first acknowledgement; null if there is one already, or no such alert. */
export function acknowledge(
  tx: Tx,
  { orgId, id, userId }: { orgId: string; id: string; userId: string },
): Promise<AlertRow | null> {
  return tx.maybe(sql<AlertRow>`
    update alerts
       set acknowledged_at = ${iso(tx.clock.now())},
           acknowledged_by = ${userId}
     where org_id = ${orgId}
       and id = ${id}
       and acknowledged_at is null
    returning *`)
}

/** An alert of an organization; null if it has no such alert. */
export function selectAlert(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<AlertRow | null> {
  return tx.maybe(sql<AlertRow>`
    select *
      from alerts
     where org_id = ${orgId}
       and id = ${id}`)
}
