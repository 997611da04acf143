import { type RawBuilder, sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import { joinConditions } from '../store/conditions.ts'
import type { AuditRow } from './rows.ts'

/** Filters of a list of entries; times in milliseconds. */
export interface AuditFilter {
  actor?: string
  action?: string
  object?: string
  from?: Millis
  to?: Millis
}

/** One page of a list. */
export interface AuditPage {
  orgId: string
  filter: AuditFilter
  after: { createdAt: Millis; id: string } | null
  limit: number
}

/** One page of an organization's entries, newest first, from just after `after`. */
export function selectAuditPage(tx: Tx, page: AuditPage): Promise<AuditRow[]> {
  return tx.many(pageQuery(page))
}

/** Statement of a page. Filters by actor and action skip the other entries of the organization. */
export function pageQuery({ orgId, filter, after, limit }: AuditPage): RawBuilder<AuditRow> {
  const { actor, action, object, from, to } = filter
  const parts = joinConditions([
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
     where org_id = ${orgId}
       ${parts}
     order by at desc, id desc
     limit ${limit}`
}
