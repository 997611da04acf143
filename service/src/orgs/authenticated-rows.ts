import { sql } from 'kysely'
import type { Queries } from '../store/queries.ts'
import type { KeyRow } from './key-rows.ts'
import type { Thresholds } from './thresholds.ts'
import type { AuthenticatedFields } from './user.ts'

/** The fields of a MAC, with the stored MAC. */
type WithMac<T> = T & { mac: Uint8Array }

/** Returns up to `limit` rows, in any order. */
export async function selectAuthenticatedOrganizations(
  session: Queries,
  limit: number,
): Promise<WithMac<Thresholds>[]> {
  return session.many(sql<WithMac<Thresholds>>`
    select id,
           min_withdrawal_signers as "minWithdrawalSigners",
           min_human_approvals as "minHumanApprovals",
           version,
           mac
      from organizations
     limit ${limit}`)
}

export async function selectAuthenticatedKeys(session: Queries, limit: number): Promise<KeyRow[]> {
  return session.many(sql<KeyRow>`
    select org_id, id, user_id, hash, name, scopes, networks, expires_at, is_default, revoked_at,
           version, mac
      from api_keys
     limit ${limit}`)
}

export async function selectAuthenticatedUsers(
  session: Queries,
  limit: number,
): Promise<WithMac<AuthenticatedFields>[]> {
  return session.many(sql<WithMac<AuthenticatedFields>>`
    select id,
           org_id as "orgId",
           role,
           status,
           version,
           mac
      from users
     limit ${limit}`)
}
