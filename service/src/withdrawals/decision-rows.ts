import { sql } from 'kysely'
import type { Millis } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'

type Named = { orgId: string; id: string }

/** An approval of a withdrawal with the name of its user; void ones do not count. */
export interface NamedApproval {
  userId: string
  name: string
  createdAt: Millis
  voidedAt: Millis | null
  voidCause: string
}

/** Every approval of a withdrawal, also void ones, the earliest first. */
export function selectNamedApprovals(tx: Tx, { orgId, id }: Named): Promise<NamedApproval[]> {
  return tx.many(sql<NamedApproval>`
    select a.user_id::text as "userId", u.username as name, a.created_at as "createdAt",
           a.voided_at as "voidedAt", a.void_cause as "voidCause"
      from withdrawal_approvals a
      join users u
        on u.org_id = a.org_id
       and u.id = a.user_id
     where a.org_id = ${orgId}
       and a.withdrawal_id = ${id}
     order by a.created_at, a.totp_step > 0, a.id`)
}

/** The end of a cancelled or rejected withdrawal. */
export interface Cancelled {
  userId: string
  name: string
  at: Millis
  /** The reason of a rejection, or empty; null if it was cancelled. */
  rejectReason: string | null
}

/**
 * The user who cancelled or rejected a withdrawal, from its `txn_error`; null for any other. The
 * status is the last of a cancelled withdrawal, so its time is that of the last change.
 */
export function selectCancelled(tx: Tx, { orgId, id }: Named): Promise<Cancelled | null> {
  return tx.maybe(sql<Cancelled>`
    select u.id::text as "userId", u.username as name, w.updated_at as at,
           w.reject_reason as "rejectReason"
      from withdrawals w
      join users u
        on u.org_id = w.org_id
       and w.txn_error = 'CANCELLED BY ' || u.id::text
     where w.org_id = ${orgId}
       and w.id = ${id}
       and w.status = 'Cancelled'`)
}

/** Stores the reason of a rejection. */
export async function noteRejection(
  tx: Tx,
  { orgId, id, reason }: Named & { reason: string },
): Promise<void> {
  await tx.run(sql`
    update withdrawals
       set reject_reason = ${reason}
     where org_id = ${orgId}
       and id = ${id}
       and status = 'Cancelled'`)
}
