import { type RawBuilder, sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import { joinConditions } from '../store/conditions.ts'
import type { Tx } from '../store/database.ts'
import type { UserRow } from './user-rows.ts'

/** A person with the state of the credentials. */
export type PersonRow = UserRow & {
  is_enrolled: boolean
  last_login_at: Millis | null
  /** The end of the open invitation, which may be in the past; null without one. */
  invited_until: Millis | null
}

/** Filters of a list of people. */
export interface PeopleFilter {
  /** A part of the name in any case, or the whole id. */
  q?: string
  role?: UserRow['role']
  status?: UserRow['status']
}

/** One page of a list. */
export interface PeoplePage {
  orgId: string
  filter: PeopleFilter
  after: { createdAt: Millis; id: string } | null
  limit: number
}

/**
 * A page of the people of an organization, newest first. A filter compares each of them, because an
 * organization has few.
 */
export function pageQuery({ orgId, filter, after, limit }: PeoplePage): RawBuilder<PersonRow> {
  const { q, role, status } = filter
  const parts = joinConditions([
    q !== undefined && sql`and (strpos(lower(u.username), lower(${q})) > 0 or u.id::text = ${q})`,
    role !== undefined && sql`and u.role = ${role}`,
    status !== undefined && sql`and u.status = ${status}`,
    after !== null &&
      sql`and (u.created_at, u.id) < (${iso(after.createdAt)}::timestamptz, ${after.id}::uuid)`,
  ])
  return sql<PersonRow>`
    ${columns}
     where u.org_id = ${orgId}
       and u.role <> 'api'
       ${parts}
     order by u.created_at desc, u.id desc
     limit ${limit}`
}

export async function selectPerson(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<PersonRow | null> {
  return tx.maybe(sql<PersonRow>`
    ${columns}
     where u.org_id = ${orgId}
       and u.id = ${id}
       and u.role <> 'api'`)
}

const columns = sql`
  select u.org_id, u.id, u.username, u.role, u.status, in_force(u.mac) as mac, u.version,
         u.created_at, u.updated_at, u.last_login_at, u.password_hash <> '' as is_enrolled,
         (select i.expires_at
            from invitations i
           where i.org_id = u.org_id
             and i.user_id = u.id
             and i.ended_at is null) as invited_until
    from users u`
