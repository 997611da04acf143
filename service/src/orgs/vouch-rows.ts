import { sql } from 'kysely'
import type { Queries } from '../store/queries.ts'
import type { VouchedKey } from './api-key.ts'
import type { Thresholds } from './thresholds.ts'
import type { VouchedFields } from './user.ts'

/** Asked as the owner of the tables, of all organizations at once. */
export async function selectStandingOrganizations(session: Queries): Promise<Thresholds[]> {
  return session.many(sql<Thresholds>`
    select id,
           min_withdrawal_signers as "minWithdrawalSigners",
           min_human_approvals as "minHumanApprovals",
           null as version
      from organizations`)
}

export async function selectStandingKeys(session: Queries): Promise<VouchedKey[]> {
  return session.many(sql<VouchedKey>`
    select org_id as "orgId",
           id as "keyId",
           user_id as "userId",
           hash,
           revoked_at as "revokedAt"
      from api_keys`)
}

export async function selectStandingPasswords(
  session: Queries,
): Promise<{ userId: string; hash: string }[]> {
  return session.many(sql<{ userId: string; hash: string }>`
    select id as "userId", password_hash as hash
      from users
     where password_hash <> ''`)
}

export async function updatePasswords(
  session: Queries,
  rows: readonly { id: string; kept: string }[],
): Promise<void> {
  await session.run(sql`
    update users as u
       set password_hash = vouched.kept
      from unnest(
             ${rows.map(({ id }) => id)}::uuid[],
             ${rows.map(({ kept }) => kept)}::text[]
           ) as vouched (id, kept)
     where u.id = vouched.id`)
}

interface Vouched {
  id: string
  mac: Uint8Array
}

/** What a MAC is over, with the one that stands beside it. */
type WithMac<T> = T & { mac: Uint8Array }

/** Whichever so many come first. */
export async function selectVouchedOrganizations(
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

export async function selectVouchedKeys(
  session: Queries,
  limit: number,
): Promise<WithMac<VouchedKey>[]> {
  return session.many(sql<WithMac<VouchedKey>>`
    select org_id as "orgId",
           id as "keyId",
           user_id as "userId",
           hash,
           revoked_at as "revokedAt",
           mac
      from api_keys
     limit ${limit}`)
}

export async function selectVouchedUsers(
  session: Queries,
  limit: number,
): Promise<WithMac<VouchedFields>[]> {
  return session.many(sql<WithMac<VouchedFields>>`
    select id,
           org_id as "orgId",
           role,
           status,
           -- Asked during older migrations too, when the column is not there yet.
           to_jsonb(u) ->> 'version' as version,
           mac
      from users u
     limit ${limit}`)
}

export async function updateOrganizationMacs(
  session: Queries,
  rows: readonly Vouched[],
): Promise<void> {
  await session.run(sql`
    update organizations as o
       set mac = vouched.mac
      from unnest(
             ${rows.map(({ id }) => id)}::uuid[],
             ${rows.map(({ mac }) => mac)}::bytea[]
           ) as vouched (id, mac)
     where o.id = vouched.id`)
}

export async function updateKeyMacs(session: Queries, rows: readonly Vouched[]): Promise<void> {
  await session.run(sql`
    update api_keys as k
       set mac = vouched.mac
      from unnest(
             ${rows.map(({ id }) => id)}::uuid[],
             ${rows.map(({ mac }) => mac)}::bytea[]
           ) as vouched (id, mac)
     where k.id = vouched.id`)
}
