import { type RawBuilder, sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import { joinConditions } from '../store/conditions.ts'
import type { AuditRow } from './rows.ts'

/** Filters of a list of entries, and one page of it; times in milliseconds. */
export interface AuditPage {
  /** All entries that the transaction may see without it. */
  orgId?: string
  actor?: string
  action?: string
  object?: string
  from?: Millis
  to?: Millis
  after?: { createdAt: Millis; id: string } | null
  limit: number
}

/** One page of entries, newest first, from just after `after`. */
export function selectAuditPage(tx: Tx, page: AuditPage): Promise<AuditRow[]> {
  return tx.many(pageQuery(page))
}

/**
 * Statement of a page. Filters by actor and action skip the other entries of the organization. The
 * entries of an organization follow its index; those of all follow the primary key.
 */
export function pageQuery(page: AuditPage): RawBuilder<AuditRow> {
  const { orgId, actor, action, object, from, to, after = null, limit } = page
  const parts = joinConditions([
    orgId !== undefined && sql`and org_id = ${orgId}`,
    actor !== undefined && sql`and actor = ${actor}`,
    action !== undefined && sql`and action = ${action}`,
    object !== undefined && sql`and object = ${object}`,
    from !== undefined && sql`and at >= ${iso(from)}`,
    to !== undefined && sql`and at <= ${iso(to)}`,
    after !== null && sql`and (at, id) < (${iso(after.createdAt)}, ${after.id}::bigint)`,
  ])
  return sql<AuditRow>`
    select *
      from audit_log
     where true
       ${parts}
     order by ${orgId === undefined ? sql`id desc` : sql`at desc, id desc`}
     limit ${limit}`
}
