import { sql } from 'kysely'
import type { Millis } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'

type Named = { orgId: string; id: string }

/** An approval of a withdrawal; a void one does not count. */
export interface GivenApproval {
  userId: string
  createdAt: Millis
  /** Null for the initiator's, which is the request. */
  method: 'totp' | 'passkey' | null
  voidedAt: Millis | null
  voidCause: string
}

/** Every approval of a withdrawal, also void ones, the earliest first. */
export function selectEveryApproval(tx: Tx, { orgId, id }: Named): Promise<GivenApproval[]> {
  return tx.many(sql<GivenApproval>`
    select user_id::text as "userId", created_at as "createdAt", voided_at as "voidedAt",
           void_cause as "voidCause",
           case when passkey_id is not null then 'passkey'
                when totp_step > 0 then 'totp' end as method
      from withdrawal_approvals
     where org_id = ${orgId}
       and withdrawal_id = ${id}
     order by created_at, totp_step > 0 or passkey_id is not null, id`)
}

/** Columns of a withdrawal that only people read. */
export interface Notes {
  /** The reason of a rejection, or empty; null unless the withdrawal was rejected. */
  rejectReason: string | null
  /** The API key that created it; null if a person did. */
  apiKeyId: string | null
}

export function selectNotes(tx: Tx, { orgId, id }: Named): Promise<Notes> {
  return tx.one(sql<Notes>`
    select reject_reason as "rejectReason", api_key_id::text as "apiKeyId"
      from withdrawals
     where org_id = ${orgId}
       and id = ${id}`)
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
