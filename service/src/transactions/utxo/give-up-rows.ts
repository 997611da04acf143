import { sql } from 'kysely'
import { iso } from '../../base/clock.ts'
import type { Tx } from '../../store/database.ts'
import type { SpendKey } from '../core/transaction-rows.ts'

/** A person's proposal to give a spend up. */
export interface GiveUpWord {
  proposedBy: string
  /** How many transactions had been signed for it. */
  transactions: number
  /** Whether it holds although another transaction paid some of the same recipients. */
  despitePayment: boolean
}

/** Locks the proposal; null if not found. */
export async function lockWord(tx: Tx, spend: SpendKey): Promise<GiveUpWord | null> {
  return tx.maybe(sql<GiveUpWord>`
    select proposed_by as "proposedBy", transactions, despite_payment as "despitePayment"
      from spend_give_ups
     where org_id = ${spend.orgId}
       and spend_id = ${spend.id}
       for update`)
}

/** Notes the word of the first of two people; an older word is forgotten. */
export async function proposeRow(
  tx: Tx,
  { spend, word }: { spend: SpendKey; word: GiveUpWord },
): Promise<void> {
  const now = iso(tx.clock.now())
  await tx.run(sql`
    insert into spend_give_ups
      (org_id, spend_id, proposed_by, transactions, despite_payment, proposed_at)
    values
      (${spend.orgId}, ${spend.id}, ${word.proposedBy}, ${word.transactions},
       ${word.despitePayment}, ${now}::timestamptz)
        on conflict (org_id, spend_id) do update
       set proposed_by = excluded.proposed_by,
           transactions = excluded.transactions,
           despite_payment = excluded.despite_payment,
           proposed_at = excluded.proposed_at
     where spend_give_ups.confirmed_by is null`)
}

/** Notes that of the second. */
export async function confirmRow(
  tx: Tx,
  { spend, userId }: { spend: SpendKey; userId: string },
): Promise<boolean> {
  const confirmed = await tx.run(sql`
    update spend_give_ups
       set confirmed_by = ${userId}
     where org_id = ${spend.orgId}
       and spend_id = ${spend.id}
       and confirmed_by is null
       and proposed_by <> ${userId}`)
  return confirmed === 1
}
