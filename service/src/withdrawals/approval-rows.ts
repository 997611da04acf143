import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'
import type { Approval, Withdrawal } from './withdrawal.ts'

interface ApprovalRow {
  org_id: string
  id: string
  withdrawal_id: string
  user_id: string
  totp_step: number
  passkey_id: string | null
  mac: Uint8Array
  created_at: Millis
}

/** A new withdrawal, with the approval of its initiator. */
export interface NewWithdrawal {
  withdrawal: Withdrawal
  approval: Approval
  /** The API key that requested it; null if a person did. */
  apiKeyId: string | null
}

/**
 * Inserts withdrawals, each with its first approval, in one statement. Returns the ids of those
 * whose reference was free. Waits while another transaction holds a reference.
 */
export async function insertWithdrawals(
  tx: Tx,
  drafts: readonly NewWithdrawal[],
): Promise<Set<string>> {
  const of = <T>(pick: (withdrawal: Withdrawal) => T): T[] => drafts.map((d) => pick(d.withdrawal))
  const by = <T>(pick: (approval: Approval) => T): T[] => drafts.map((d) => pick(d.approval))
  const rows = await tx.many(sql<{ id: string }>`
      with made as (
        insert into withdrawals (
               org_id, id, chain_id, token_id, amount, recipient, memo, reference,
               internal_note, external_user_id, status, required_approvals, required_humans,
               initiator, mac, waiting_for, waiting_since, api_key_id, created_at, updated_at)
        select *, created_at
          from unnest(
               ${of((w) => w.orgId)}::uuid[],
               ${of((w) => w.id)}::uuid[],
               ${of((w) => w.chainId)}::text[],
               ${of((w) => w.tokenId)}::text[],
               ${of((w) => w.amount)}::numeric[],
               ${of((w) => w.recipient)}::text[],
               ${of((w) => w.memo)}::text[],
               ${of((w) => w.reference)}::text[],
               ${of((w) => w.internalNote)}::text[],
               ${of((w) => w.externalUserId)}::text[],
               ${of((w) => w.status)}::text[],
               ${of((w) => w.requiredApprovals)}::integer[],
               ${of((w) => w.requiredHumans)}::integer[],
               ${of((w) => w.initiator)}::uuid[],
               ${of((w) => w.mac)}::bytea[],
               ${of((w) => w.waitingFor)}::text[],
               ${of((w) => (w.waitingSince === null ? null : iso(w.waitingSince)))}::timestamptz[],
               ${drafts.map((d) => d.apiKeyId)}::uuid[],
               ${of((w) => iso(w.createdAt))}::timestamptz[])
               as d (org_id, id, chain_id, token_id, amount, recipient, memo, reference,
                     internal_note, external_user_id, status, required_approvals,
                     required_humans, initiator, mac, waiting_for, waiting_since, api_key_id,
                     created_at)
            on conflict (org_id, reference) do nothing
     returning org_id, id
      )
    insert into withdrawal_approvals (
           org_id, id, withdrawal_id, user_id, totp_step, passkey_id, mac, created_at)
    select a.*
      from unnest(
           ${by((a) => a.orgId)}::uuid[],
           ${by((a) => a.id)}::uuid[],
           ${by((a) => a.withdrawalId)}::uuid[],
           ${by((a) => a.userId)}::uuid[],
           ${by((a) => a.totpStep)}::bigint[],
           ${by((a) => a.passkeyId)}::uuid[],
           ${by((a) => a.mac)}::bytea[],
           ${by((a) => iso(a.createdAt))}::timestamptz[])
           as a (org_id, id, withdrawal_id, user_id, totp_step, passkey_id, mac, created_at)
      join made on made.org_id = a.org_id and made.id = a.withdrawal_id
 returning withdrawal_id as id`)
  return new Set(rows.map(({ id }) => id))
}

/** Inserts one more approval. */
export async function insertApproval(tx: Tx, approval: Approval): Promise<void> {
  await tx.run(sql`
    insert into withdrawal_approvals (
           org_id, id, withdrawal_id, user_id, totp_step, passkey_id, mac, created_at)
    values (${approval.orgId}, ${approval.id}, ${approval.withdrawalId}, ${approval.userId},
            ${approval.totpStep}, ${approval.passkeyId}, ${approval.mac},
            ${iso(approval.createdAt)})`)
}

/** The approvals of a withdrawal that are not void, the earliest first. */
export async function selectApprovals(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<Approval[]> {
  const rows = await tx.many(sql<ApprovalRow>`
    select org_id, id, withdrawal_id, user_id, totp_step, passkey_id, mac, created_at
      from withdrawal_approvals
     where org_id = ${orgId}
       and withdrawal_id = ${id}
       and voided_at is null
     order by created_at, id`)
  return rows.map((row) => ({
    orgId: row.org_id,
    id: row.id,
    withdrawalId: row.withdrawal_id,
    userId: row.user_id,
    totpStep: row.totp_step,
    passkeyId: row.passkey_id,
    mac: row.mac,
    createdAt: row.created_at,
  }))
}

/** The passkeys that approved a withdrawal, by approvals that became void too. */
export async function selectUsedPasskeys(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<string[]> {
  const rows = await tx.many(sql<{ passkey_id: string }>`
    select passkey_id
      from withdrawal_approvals
     where org_id = ${orgId}
       and withdrawal_id = ${id}
       and passkey_id is not null`)
  return rows.map((row) => row.passkey_id)
}

/** Marks approvals as void, with the cause. */
export async function voidApprovals(
  tx: Tx,
  { orgId, approvals }: { orgId: string; approvals: readonly { id: string; cause: string }[] },
): Promise<void> {
  if (approvals.length === 0) return
  await tx.run(sql`
    update withdrawal_approvals a
       set voided_at = ${iso(tx.clock.now())},
           void_cause = v.cause
      from unnest(
           ${approvals.map(({ id }) => id)}::uuid[],
           ${approvals.map(({ cause }) => cause)}::text[]) as v (id, cause)
     where a.org_id = ${orgId}
       and a.id = v.id
       and a.voided_at is null`)
}
