import { sql } from 'kysely'
import type { Address } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import type { Payment } from './payment-request.ts'
import type { SpendKey } from './transaction-rows.ts'

/** Writes down whom a spend pays, in the order of its outputs. */
export async function insertSubjects(
  tx: Tx,
  { spend, payments }: { spend: SpendKey; payments: readonly Payment[] },
): Promise<void> {
  if (payments.length === 0) return
  await tx.run(sql`
    insert into spend_subjects (org_id, spend_id, subject_id, recipient, amount, position)
    select ${spend.orgId}::uuid, ${spend.id}::uuid, u.*
      from unnest(
           ${payments.map(({ subjectId }) => subjectId)}::uuid[],
           ${payments.map(({ to }) => to)}::text[],
           ${payments.map(({ amount }) => amount)}::numeric[],
           ${payments.map((_, at) => at)}::integer[])
           as u (subject_id, recipient, amount, position)`)
}

/** Whom a spend pays, in the order of its outputs. */
export function selectSubjects(tx: Tx, spend: SpendKey): Promise<Payment[]> {
  return tx.many(sql<{ subjectId: string; to: Address; amount: bigint }>`
    select subject_id as "subjectId", recipient as to, amount
      from spend_subjects
     where org_id = ${spend.orgId}
       and spend_id = ${spend.id}
     order by position`)
}

/** The spends that stand for these subjects. */
export async function selectStandingFor(
  tx: Tx,
  { orgId, subjectIds }: { orgId: string; subjectIds: readonly string[] },
): Promise<string[]> {
  const rows = await tx.many(sql<{ id: string }>`
    select distinct spend_id as id
      from spend_subjects
     where org_id = ${orgId}
       and subject_id = any(${subjectIds}::uuid[])
       and stands`)
  return rows.map(({ id }) => id)
}

/** The spend can never be included: others may pay its subjects. */
export async function releaseSubjects(tx: Tx, spend: SpendKey): Promise<void> {
  await tx.run(sql`
    update spend_subjects
       set stands = false
     where org_id = ${spend.orgId}
       and spend_id = ${spend.id}`)
}

/** Whether triggers have kept a signature for it. */
export async function wasSignedFor(
  tx: Tx,
  { orgId, withdrawalId }: { orgId: string; withdrawalId: string },
): Promise<boolean> {
  const { found } = await tx.one(sql<{ found: boolean }>`
    select exists (
      select
        from signed_withdrawals
       where org_id = ${orgId}
         and withdrawal_id = ${withdrawalId}) as found`)
  return found
}
