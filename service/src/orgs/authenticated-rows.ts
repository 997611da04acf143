import { sql } from 'kysely'
import type { Queries } from '../store/queries.ts'
import type { AuthenticatedKey } from './api-key.ts'
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

export async function selectAuthenticatedKeys(
  session: Queries,
  limit: number,
): Promise<WithMac<AuthenticatedKey>[]> {
  return session.many(sql<WithMac<AuthenticatedKey>>`
    select org_id as "orgId",
           id as "keyId",
           user_id as "userId",
           hash,
           revoked_at as "revokedAt",
           mac
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
