import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import type { UserRow } from './user-rows.ts'

type NamedRow = UserRow & { password_hash: string }
type Nobody = { [column in keyof NamedRow]: null }

/**
 * Finds a user by name, in any case, before the organization is known; null for an unknown name and
 * if `isNone`. `folded` is the same for all spellings that match one user, and depends on the name
 * alone: it does not reveal whether the user exists.
 */
export async function selectUserOfName(
  tx: Tx,
  { name, isNone }: { name: string; isNone: boolean },
): Promise<{ folded: string; user: NamedRow | null }> {
  const { folded, ...row } = await tx.one(sql<{ folded: string } & (NamedRow | Nobody)>`
    select asked.folded, u.*
      from (values (lower(${name}::text))) as asked (folded)
      left join user_of_name(${name}) u on not ${isNone}::boolean`)
  return { folded, user: row.id === null ? null : row }
}

/** Includes the columns that a sign-in needs. */
export async function selectPasswordHash(
  tx: Tx,
  { orgId, userId }: { orgId: string; userId: string },
): Promise<(UserRow & { password_hash: string }) | null> {
  return tx.maybe(sql<UserRow & { password_hash: string }>`
    select org_id, id, username, role, status, in_force(password_hash) as password_hash,
           in_force(mac) as mac, version, created_at, updated_at
      from users
     where org_id = ${orgId}
       and id = ${userId}`)
}

/**
 * The sealed secret and the last step used. Changes of the user wait until the commit, a change of
 * this secret among them.
 */
export async function lockTotpSecret(
  tx: Tx,
  { orgId, userId }: { orgId: string; userId: string },
): Promise<{ secret: Uint8Array; lastStep: number } | null> {
  const row = await tx.maybe(sql<{ totp_secret: Uint8Array | null; last_totp_step: number }>`
    select nullif(in_force(totp_secret), '') as totp_secret, last_totp_step
      from users
     where org_id = ${orgId}
       and id = ${userId}
       for no key update`)
  if (row === null || row.totp_secret === null) return null
  return { secret: row.totp_secret, lastStep: row.last_totp_step }
}

/** Returns whether the step is later than all used steps. */
export async function advanceTotpStep(
  tx: Tx,
  { orgId, userId, step }: { orgId: string; userId: string; step: number },
): Promise<boolean> {
  const advanced = await tx.run(sql`
    update users
       set last_totp_step = ${step}
     where org_id = ${orgId}
       and id = ${userId}
       and last_totp_step < ${step}`)
  return advanced === 1
}

/** A row of `sessions` with the current state of its user. */
export type SessionRow = UserRow & { expires_at: Millis; ended_at: Millis | null }

/** One read by primary keys. */
export async function selectSession(
  tx: Tx,
  { orgId, id, userId }: { orgId: string; id: string; userId: string },
): Promise<SessionRow | null> {
  return tx.maybe(sql<SessionRow>`
    select u.org_id, u.id, u.username, u.role, u.status, in_force(u.mac) as mac, u.version,
           u.created_at, u.updated_at, s.expires_at, s.ended_at
      from sessions s
      join users u on u.org_id = s.org_id and u.id = s.user_id
     where s.org_id = ${orgId}
       and s.id = ${id}
       and s.user_id = ${userId}`)
}

/**
 * As `selectSession`; changes of the user (`lockUser`) wait until the commit. The lock is the
 * weakest one, so that a code can be used up beside it. The session is read by a separate
 * statement, because a statement that waits for a lock returns the state from before the wait.
 */
export async function holdSession(
  tx: Tx,
  params: { orgId: string; id: string; userId: string },
): Promise<SessionRow | null> {
  const held = tx.run(sql`
    select id
      from users
     where org_id = ${params.orgId}
       and id = ${params.userId}
       for key share`)
  const [row] = await Promise.all([selectSession(tx, params), held])
  return row
}

export async function insertSession(
  tx: Tx,
  params: {
    orgId: string
    id: string
    userId: string
    createdAt: Millis
    expiresAt: Millis
    address: string
  },
): Promise<void> {
  await tx.run(sql`
    insert into sessions
      (org_id, id, user_id, created_at, expires_at, address)
    values
      (${params.orgId}, ${params.id}, ${params.userId}, ${iso(params.createdAt)},
       ${iso(params.expiresAt)}, ${params.address})`)
}

/** Returns how many sessions were open. Leaves the session `except` open. */
export async function closeSessions(
  tx: Tx,
  params: { orgId: string; userId: string; cause: string; except?: string | null },
): Promise<number> {
  const { orgId, userId, cause, except = null } = params
  return tx.run(sql`
    update sessions
       set ended_at = ${iso(tx.clock.now())},
           end_cause = ${cause}
     where org_id = ${orgId}
       and user_id = ${userId}
       and ended_at is null
       and id is distinct from ${except}::uuid`)
}

/** Returns whether the session was open. */
export async function closeSession(
  tx: Tx,
  params: { orgId: string; userId: string; id: string; cause: string },
): Promise<boolean> {
  const now = iso(tx.clock.now())
  const closed = await tx.run(sql`
    update sessions
       set ended_at = ${now},
           end_cause = ${params.cause}
     where org_id = ${params.orgId}
       and user_id = ${params.userId}
       and id = ${params.id}
       and ended_at is null
       and expires_at > ${now}`)
  return closed === 1
}

/** An open session, for its user. */
export interface OwnSessionRow {
  id: string
  created_at: Millis
  expires_at: Millis
  address: string
}

/** Newest first. */
export async function selectOwnSessions(
  tx: Tx,
  params: {
    orgId: string
    userId: string
    after: { createdAt: Millis; id: string } | null
    limit: number
  },
): Promise<OwnSessionRow[]> {
  const { orgId, userId, after, limit } = params
  const before =
    after === null
      ? sql``
      : sql`and (created_at, id) < (${iso(after.createdAt)}::timestamptz, ${after.id}::uuid)`
  return tx.many(sql<OwnSessionRow>`
    select id, created_at, expires_at, address
      from sessions
     where org_id = ${orgId}
       and user_id = ${userId}
       and ended_at is null
       and expires_at > ${iso(tx.clock.now())}
       ${before}
     order by created_at desc, id desc
     limit ${limit}`)
}

/** Stores the time of a sign-in. */
export async function noteLogin(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<void> {
  await tx.run(sql`
    update users
       set last_login_at = ${iso(tx.clock.now())}
     where org_id = ${orgId}
       and id = ${id}`)
}

export async function deleteSessions(tx: Tx, { before }: { before: Millis }): Promise<number> {
  return tx.run(sql`
    delete from sessions
     where expires_at < ${iso(before)}`)
}
