import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'

/** A row of `users`, without the columns that only sign-in needs. */
export interface UserRow {
  org_id: string
  id: string
  username: string
  role: 'viewer' | 'operator' | 'approver' | 'admin' | 'api'
  status: 'invited' | 'active' | 'disabled'
  /** Empty if a later state of the row replaced it. */
  mac: Uint8Array
  version: string | null
  created_at: Millis
  updated_at: Millis
}

/** Null if the username is taken, in any case. */
export async function insertUser(
  tx: Tx,
  params: {
    orgId: string
    id: string
    username: string
    role: UserRow['role']
    status: UserRow['status']
    mac: Uint8Array
  },
): Promise<UserRow | null> {
  const now = iso(tx.clock.now())
  return tx.maybe(sql<UserRow>`
    insert into users
      (org_id, id, username, role, status, mac, created_at, updated_at)
    values
      (${params.orgId}, ${params.id}, ${params.username}, ${params.role}, ${params.status},
       ${params.mac}, ${now}, ${now})
    on conflict (lower(username)) do nothing
    returning org_id, id, username, role, status, mac, version, created_at, updated_at`)
}

/** Oldest first; only users of `orgId` if it is set. */
export async function selectUsers(tx: Tx, orgId: string | null): Promise<UserRow[]> {
  return tx.many(sql<UserRow>`
    select org_id, id, username, role, status, in_force(mac) as mac, version, created_at,
           updated_at
      from users
     where ${orgId}::uuid is null
        or org_id = ${orgId}
     order by created_at, id`)
}

/** The users of one organization with one of these ids. */
export async function selectUsersById(
  tx: Tx,
  { orgId, ids }: { orgId: string; ids: readonly string[] },
): Promise<UserRow[]> {
  return tx.many(sql<UserRow>`
    select org_id, id, username, role, status, in_force(mac) as mac, version, created_at,
           updated_at
      from users
     where org_id = ${orgId}
       and id = any(${[...ids]}::uuid[])`)
}

/** The names of the users with one of these ids, of all visible organizations. */
export async function selectUsernames(
  tx: Tx,
  ids: readonly string[],
): Promise<{ id: string; username: string }[]> {
  return tx.many(sql<{ id: string; username: string }>`
    select id, username
      from users
     where id = any(${[...ids]}::uuid[])`)
}

export async function selectApiUserId(tx: Tx, orgId: string): Promise<string> {
  const user = await tx.one(sql<{ id: string }>`
    select id
      from users
     where org_id = ${orgId}
       and role = 'api'`)
  return user.id
}

/** The user with this id, or with this name in any case. */
export async function selectUserId(
  tx: Tx,
  { id = null, name = null }: { id?: string | null; name?: string | null },
): Promise<{ org_id: string; id: string } | null> {
  return tx.maybe(sql<{ org_id: string; id: string }>`
    select org_id, id
      from users
     where id = ${id}::uuid
        or lower(username) = lower(${name}::text)`)
}

/**
 * Locks out other changes of this user until the commit, and waits for running requests of this
 * user (`holdSession`).
 */
export async function lockUser(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<UserRow | null> {
  return tx.maybe(sql<UserRow>`
    select org_id, id, username, role, status, in_force(mac) as mac, version, created_at,
           updated_at
      from users
     where org_id = ${orgId}
       and id = ${id}
       for update`)
}

export async function updateStanding(
  tx: Tx,
  params: Pick<UserRow, 'id' | 'role' | 'status' | 'mac' | 'version'> & { orgId: string },
): Promise<void> {
  await tx.run(sql`
    update users
       set role = ${params.role},
           status = ${params.status},
           version = ${params.version},
           mac = ${params.mac},
           updated_at = ${iso(tx.clock.now())}
     where org_id = ${params.orgId}
       and id = ${params.id}`)
}

export async function updatePassword(
  tx: Tx,
  params: { orgId: string; id: string; passwordHash: string },
): Promise<void> {
  await tx.run(sql`
    update users
       set password_hash = ${params.passwordHash},
           updated_at = ${iso(tx.clock.now())}
     where org_id = ${params.orgId}
       and id = ${params.id}`)
}

/** Replaces the TOTP secret. Codes up to the step are used up. */
export async function updateTotpSecret(
  tx: Tx,
  params: { orgId: string; id: string; sealed: Uint8Array; step: number },
): Promise<void> {
  await tx.run(sql`
    update users
       set totp_secret = ${params.sealed},
           last_totp_step = ${params.step},
           updated_at = ${iso(tx.clock.now())}
     where org_id = ${params.orgId}
       and id = ${params.id}`)
}

/** Removes password and TOTP secret: the user cannot sign in. */
export async function clearCredentials(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<void> {
  await tx.run(sql`
    update users
       set password_hash = '',
           totp_secret = null,
           updated_at = ${iso(tx.clock.now())}
     where org_id = ${orgId}
       and id = ${id}`)
}

export async function selectIsEnrolled(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<boolean> {
  const row = await tx.maybe(sql<{ is_enrolled: boolean }>`
    select password_hash <> '' as is_enrolled
      from users
     where org_id = ${orgId}
       and id = ${id}`)
  return row?.is_enrolled === true
}

/** Active admins with a password. */
export async function selectAdmins(tx: Tx, orgId: string): Promise<UserRow[]> {
  return tx.many(sql<UserRow>`
    select org_id, id, username, role, status, in_force(mac) as mac, version, created_at,
           updated_at
      from users
     where org_id = ${orgId}
       and role = 'admin'
       and status = 'active'
       and password_hash <> ''`)
}
