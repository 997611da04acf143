import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import { iso, type Millis } from '../../base/clock.ts'
import { type Terms, termsFromJson, termsToJson } from '../../chains/spending.ts'
import type { Tx } from '../../store/database.ts'
import type { OwnTransaction, Purpose, Spend } from './spend.ts'
import type { SpendTransaction } from './transaction.ts'

interface TransactionRow {
  chain_id: ChainId
  txn_hash: string
  org_id: string
  spend_id: string
  number: number
  raw: Uint8Array
  max_fee: bigint
  terms: unknown
  signed_height: number
  signed_at: Millis
  broadcast_at: Millis | null
  broadcast_height: number | null
  broadcasts: number
  last_answer: string
}

const columns = sql`
           chain_id, txn_hash, org_id, spend_id, number, raw, max_fee, terms, signed_height,
           signed_at, broadcast_at, broadcast_height, broadcasts, last_answer`

export type SpendKey = Pick<Spend, 'orgId' | 'id'>

export async function insertTransaction(
  tx: Tx,
  row: {
    spend: Spend
    number: number
    txnHash: string
    raw: Uint8Array
    maxFee: bigint
    terms: Terms
    signedHeight: number
  },
): Promise<void> {
  const { spend } = row
  await tx.run(sql`
    insert into spend_transactions (
           chain_id, txn_hash, org_id, spend_id, number, raw, max_fee, terms, signed_height,
           signed_at)
    values (${spend.chainId}, ${row.txnHash}, ${spend.orgId}, ${spend.id}, ${row.number},
            ${row.raw}, ${row.maxFee}, ${JSON.stringify(termsToJson(row.terms))}::jsonb,
            ${row.signedHeight}, ${iso(tx.clock.now())}::timestamptz)`)
}

/** Restarts the wait of a signed transaction, as if it were signed at this height. */
export async function renewRow(
  tx: Tx,
  row: { chainId: ChainId; txnHash: string; signedHeight: number },
): Promise<void> {
  await tx.run(sql`
    update spend_transactions
       set signed_height = ${row.signedHeight}
     where chain_id = ${row.chainId}
       and txn_hash = ${row.txnHash}`)
}

/** All transactions of some spends, in the order in which they were signed. */
export async function selectTransactions(
  tx: Tx,
  spends: readonly SpendKey[],
): Promise<SpendTransaction[]> {
  const rows = await tx.many(sql<TransactionRow>`
    select ${columns}
      from spend_transactions
     where (org_id, spend_id) in (
           select *
             from unnest(
                  ${spends.map(({ orgId }) => orgId)}::uuid[],
                  ${spends.map(({ id }) => id)}::uuid[]))
     order by spend_id, number`)
  return rows.map(fromRow)
}

/** The spends of these hashes; hashes of others are left out. */
export async function selectSpendIds(
  tx: Tx,
  { chainId, hashes }: { chainId: ChainId; hashes: readonly string[] },
): Promise<Map<string, SpendKey>> {
  const rows = await tx.many(sql<SpendKey & { txnHash: string }>`
    select txn_hash as "txnHash", org_id as "orgId", spend_id as id
      from spend_transactions
     where chain_id = ${chainId}
       and txn_hash = any(${hashes}::text[])`)
  return new Map(rows.map(({ txnHash, orgId, id }) => [txnHash, { orgId, id }]))
}

/** Writes down that bytes were handed to the nodes, and what these said. */
export async function noteRow(
  tx: Tx,
  row: { chainId: ChainId; txnHash: string; height: number | null; answer: string },
): Promise<void> {
  await tx.run(sql`
    update spend_transactions
       set broadcast_at = ${iso(tx.clock.now())}::timestamptz,
           broadcast_height = coalesce(${row.height}::bigint, broadcast_height),
           broadcasts = broadcasts + 1,
           last_answer = ${row.answer}
     where chain_id = ${row.chainId}
       and txn_hash = ${row.txnHash}`)
}

function fromRow(row: TransactionRow): SpendTransaction {
  return {
    chainId: row.chain_id,
    txnHash: row.txn_hash,
    orgId: row.org_id,
    spendId: row.spend_id,
    number: row.number,
    raw: row.raw,
    maxFee: row.max_fee,
    terms: termsFromJson(row.terms),
    signedHeight: row.signed_height,
    signedAt: row.signed_at,
    broadcastAt: row.broadcast_at,
    broadcastHeight: row.broadcast_height,
    broadcasts: row.broadcasts,
    lastAnswer: row.last_answer,
  }
}

interface OwnRow {
  chain_id: ChainId
  txn_hash: string
  org_id: string
  purpose: Purpose
}

/** The transactions of ours among these hashes. */
export async function selectOwn(
  tx: Tx,
  chainId: ChainId,
  hashes: readonly string[],
): Promise<OwnTransaction[]> {
  const rows = await tx.many(sql<OwnRow>`
    select chain_id, txn_hash, org_id, purpose
      from own_transactions
     where chain_id = ${chainId}
       and txn_hash = any(${hashes}::text[])`)
  return rows.map((row) => ({
    chainId: row.chain_id,
    txnHash: row.txn_hash,
    orgId: row.org_id,
    purpose: row.purpose,
  }))
}

/** Inserts a transaction of ours; false if it exists. */
export async function insertOwn(tx: Tx, own: OwnTransaction): Promise<boolean> {
  const inserted = await tx.maybe(sql<{ txn_hash: string }>`
    insert into own_transactions (chain_id, txn_hash, org_id, purpose, created_at)
    values (${own.chainId}, ${own.txnHash}, ${own.orgId}, ${own.purpose},
            ${iso(tx.clock.now())}::timestamptz)
        on conflict (chain_id, txn_hash) do nothing
    returning txn_hash`)
  return inserted !== null
}
