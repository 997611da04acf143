import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import { iso, type Millis } from '../../base/clock.ts'
import type { Tx } from '../../store/database.ts'
import type { Spend } from './spend.ts'
import type { SpendKey } from './transaction-rows.ts'

/** A request to replace the current transaction of a spend without a wait. */
export interface SpeedUpRow {
  spendId: string
  /** The transaction to replace; the request is void once the spend has another one. */
  txnHash: string
  requestedAt: Millis
}

/** Requests for these spends, void ones included. */
export function selectSpeedUps(tx: Tx, spends: readonly SpendKey[]): Promise<SpeedUpRow[]> {
  return tx.many(sql<SpeedUpRow>`
    select spend_id as "spendId", txn_hash as "txnHash", requested_at as "requestedAt"
      from speed_ups
     where (org_id, spend_id) in (
           select *
             from unnest(
                  ${spends.map(({ orgId }) => orgId)}::uuid[],
                  ${spends.map(({ id }) => id)}::uuid[]))`)
}

/** Records a request for the current transaction of a spend; false if it was requested before. */
export async function upsertSpeedUp(
  tx: Tx,
  { orgId, id, txnHash }: Pick<Spend, 'orgId' | 'id' | 'txnHash'>,
): Promise<boolean> {
  const recorded = await tx.run(sql`
    insert into speed_ups (org_id, spend_id, txn_hash, requested_at)
    values (${orgId}, ${id}, ${txnHash}, ${iso(tx.clock.now())}::timestamptz)
        on conflict (org_id, spend_id) do update
       set txn_hash = excluded.txn_hash,
           requested_at = excluded.requested_at
     where speed_ups.txn_hash <> excluded.txn_hash`)
  return recorded === 1
}

/** Ends the request for a spend, if there is one. */
export async function deleteSpeedUp(tx: Tx, { orgId, id }: SpendKey): Promise<void> {
  await tx.run(sql`
    delete from speed_ups
     where org_id = ${orgId}
       and spend_id = ${id}`)
}

/** What must be included before a spend. */
export type EarlierSpend = Pick<Spend, 'id' | 'purpose' | 'subjectId'>

/** The unmined spend of a sender with the lowest nonce; null if a block includes all of them. */
export function selectFirstUnmined(
  tx: Tx,
  { chainId, sender }: Pick<Spend, 'chainId' | 'sender'>,
): Promise<EarlierSpend | null> {
  return tx.maybe(sql<EarlierSpend>`
    select id, purpose, subject_id as "subjectId"
      from spends
     where chain_id = ${chainId}
       and sender = ${sender}
       and state = 'Sent'
     order by nonce
     limit 1`)
}

/** Whether a transaction of ours that may be included spends an output of these. */
export async function hasChild(
  tx: Tx,
  { chainId, hashes }: { chainId: ChainId; hashes: readonly string[] },
): Promise<boolean> {
  const { found } = await tx.one(sql<{ found: boolean }>`
    select exists (
           select 1
             from transaction_coins c
             join spend_transactions t
               on t.chain_id = c.chain_id
              and t.txn_hash = c.txn_hash
             join spends s
               on s.org_id = t.org_id
              and s.id = t.spend_id
            where c.chain_id = ${chainId}
              and c.coin_hash = any(${hashes}::text[])
              and s.state <> 'Displaced') as found`)
  return found
}
