import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'

/** A row of `invitations`. */
export interface InvitationRow {
  org_id: string
  id: string
  user_id: string
  hash: Uint8Array
  role: 'viewer' | 'operator' | 'approver' | 'admin'
  expires_at: Millis
  ended_at: Millis | null
  /** Empty if a later state of the row replaced it. */
  mac: Uint8Array
}

/** The organization and the id of an invitation; needs no organization. */
export async function selectInvitationOfHash(
  tx: Tx,
  hash: Uint8Array,
): Promise<{ org_id: string; id: string } | null> {
  return tx.maybe(sql<{ org_id: string; id: string }>`
    select org_id, id
      from invitation_of_hash(${hash})`)
}

export async function selectInvitation(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<InvitationRow | null> {
  return tx.maybe(sql<InvitationRow>`
    select org_id, id, user_id, hash, role, expires_at, ended_at, in_force(mac) as mac
      from invitations
     where org_id = ${orgId}
       and id = ${id}`)
}

/** The user's open invitation, which may have expired. The user is locked. */
export async function selectOpenInvitation(
  tx: Tx,
  { orgId, userId }: { orgId: string; userId: string },
): Promise<InvitationRow | null> {
  return tx.maybe(sql<InvitationRow>`
    select org_id, id, user_id, hash, role, expires_at, ended_at, in_force(mac) as mac
      from invitations
     where org_id = ${orgId}
       and user_id = ${userId}
       and ended_at is null`)
}

export async function insertInvitation(
  tx: Tx,
  params: {
    orgId: string
    id: string
    userId: string
    hash: Uint8Array
    role: InvitationRow['role']
    actor: string
    expiresAt: Millis
    mac: Uint8Array
  },
): Promise<void> {
  await tx.run(sql`
    insert into invitations
      (org_id, id, user_id, hash, role, created_by, created_at, expires_at, mac)
    values
      (${params.orgId}, ${params.id}, ${params.userId}, ${params.hash}, ${params.role},
       ${params.actor}, ${iso(tx.clock.now())}, ${iso(params.expiresAt)}, ${params.mac})`)
}

export async function updateInvitation(
  tx: Tx,
  params: {
    orgId: string
    id: string
    role: InvitationRow['role']
    endedAt: Millis | null
    cause: string
    mac: Uint8Array
  },
): Promise<void> {
  await tx.run(sql`
    update invitations
       set role = ${params.role},
           ended_at = ${params.endedAt === null ? null : iso(params.endedAt)}::timestamptz,
           end_cause = ${params.cause},
           mac = ${params.mac}
     where org_id = ${params.orgId}
       and id = ${params.id}`)
}
