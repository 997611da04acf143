import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'

/** A row of `users`, without what only signing in needs. */
export interface UserRow {
  org_id: string
  id: string
  username: string
  role: 'viewer' | 'operator' | 'approver' | 'admin' | 'api'
  status: 'active' | 'disabled'
  mac: Uint8Array
  created_at: Millis
  updated_at: Millis
}

/** Null where the username is taken, in whatever case. */
export async function insertUser(
  tx: Tx,
  given: {
    orgId: string
    id: string
    username: string
    role: UserRow['role']
    passwordHash: string
    sealedTotpSecret: Uint8Array | null
    mac: Uint8Array
  },
): Promise<UserRow | null> {
  const now = iso(tx.clock.now())
  return tx.maybe(sql<UserRow>`
    insert into users
      (org_id, id, username, role, password_hash, totp_secret, mac, created_at, updated_at)
    values
      (${given.orgId}, ${given.id}, ${given.username}, ${given.role}, ${given.passwordHash},
       ${given.sealedTotpSecret}, ${given.mac}, ${now}, ${now})
    on conflict (lower(username)) do nothing
    returning org_id, id, username, role, status, mac, created_at, updated_at`)
}

/** Oldest first; of one organization where it is named. */
export async function selectUsers(tx: Tx, orgId: string | null): Promise<UserRow[]> {
  return tx.many(sql<UserRow>`
    select org_id, id, username, role, status, mac, created_at, updated_at
      from users
     where ${orgId}::uuid is null
        or org_id = ${orgId}
     order by created_at, id`)
}

export async function selectApiUserId(tx: Tx, orgId: string): Promise<string> {
  const user = await tx.one(sql<{ id: string }>`
    select id
      from users
     where org_id = ${orgId}
       and role = 'api'`)
  return user.id
}
