import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import type { CoinPoint } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import type { SpendKey } from '../core/transaction-rows.ts'

/** An outpoint, and the transaction of ours that spends it. */
export interface Input extends CoinPoint {
  spentBy: string
  /** Of the transactions of its spend, which: 1 for the first. */
  number: number
  spendId: string
}

/** Writes down what a transaction spends. */
export async function insertInputs(
  tx: Tx,
  {
    orgId,
    chainId,
    txnHash,
    coins,
  }: { orgId: string; chainId: ChainId; txnHash: string; coins: readonly CoinPoint[] },
): Promise<void> {
  await tx.run(sql`
    insert into transaction_coins (org_id, chain_id, txn_hash, coin_hash, coin_vout)
    select ${orgId}::uuid, ${chainId}, ${txnHash}, u.*
      from unnest(
           ${coins.map((coin) => coin.txnHash)}::text[],
           ${coins.map(({ vout }) => vout)}::integer[]) as u (coin_hash, coin_vout)`)
}

/** Inputs of all transactions of these spends, in the order of signing. */
export async function selectInputs(tx: Tx, spends: readonly SpendKey[]): Promise<Input[]> {
  return tx.many(sql<Input>`
    select c.coin_hash as "txnHash", c.coin_vout as vout, c.txn_hash as "spentBy", t.number,
           t.spend_id as "spendId"
      from spend_transactions t
      join transaction_coins c
        on c.chain_id = t.chain_id
       and c.txn_hash = t.txn_hash
     where (t.org_id, t.spend_id) in (
           select *
             from unnest(
                  ${spends.map(({ orgId }) => orgId)}::uuid[],
                  ${spends.map(({ id }) => id)}::uuid[]))
     order by t.spend_id, t.number, c.coin_hash, c.coin_vout`)
}

/** The spends that spend one of these outputs; without `vout`, any output of the transaction. */
export async function selectSpenders(
  tx: Tx,
  {
    chainId,
    coins,
  }: {
    chainId: ChainId
    coins: readonly (Pick<CoinPoint, 'txnHash'> & { vout?: number })[]
  },
): Promise<SpendKey[]> {
  return tx.many(sql<SpendKey>`
    select distinct t.org_id as "orgId", t.spend_id as id
      from unnest(
           ${coins.map(({ txnHash }) => txnHash)}::text[],
           ${coins.map(({ vout }) => vout ?? null)}::integer[]) as u (txn_hash, vout)
      join transaction_coins c
        on c.chain_id = ${chainId}
       and c.coin_hash = u.txn_hash
       and (u.vout is null or c.coin_vout = u.vout)
      join spend_transactions t
        on t.chain_id = c.chain_id
       and t.txn_hash = c.txn_hash`)
}

/** Of these coins, those that recorded transactions of ours spend, and which these are. */
export async function selectRecorded(
  tx: Tx,
  { chainId, coins }: { chainId: ChainId; coins: readonly CoinPoint[] },
): Promise<(CoinPoint & { spentBy: string })[]> {
  return tx.many(sql<CoinPoint & { spentBy: string }>`
    select c.coin_hash as "txnHash", c.coin_vout as vout, c.txn_hash as "spentBy"
      from unnest(
           ${coins.map(({ txnHash }) => txnHash)}::text[],
           ${coins.map(({ vout }) => vout)}::integer[]) as u (txn_hash, vout)
      join transaction_coins c
        on c.chain_id = ${chainId}
       and c.coin_hash = u.txn_hash
       and c.coin_vout = u.vout`)
}
