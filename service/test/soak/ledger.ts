import { sql } from 'kysely'
import type { SoakDatabase } from './database.ts'

/** A deposit as the ledger has it. */
export interface LedgerDeposit {
  id: string
  chainId: string
  txnHash: string
  position: string
  address: string
  tag: string | null
  tokenId: string
  amount: string
  userId: string
  status: string
  blockHash: string
}

export interface LedgerWithdrawal {
  id: string
  chainId: string
  reference: string
  status: string
  txnHash: string | null
  failureCode: string | null
}

export interface LedgerSpend {
  chainId: string
  purpose: string
  sender: string
  state: string
  txnHash: string
}

/** All that stands, orphaned deposits left out. */
export function readDeposits(database: SoakDatabase, name: string): Promise<LedgerDeposit[]> {
  return database.many(
    name,
    sql<LedgerDeposit>`
      select d.id, d.chain_id as "chainId", d.txn_hash as "txnHash", d.position, d.address,
             a.destination_tag::text as tag, d.token_id as "tokenId", d.amount::text as amount,
             d.external_user_id as "userId", d.status, d.block_hash as "blockHash"
        from deposits d
        join accounts a on a.org_id = d.org_id and a.id = d.account_id
       where d.status <> 'Orphaned'`,
  )
}

export function readWithdrawals(database: SoakDatabase, name: string): Promise<LedgerWithdrawal[]> {
  return database.many(
    name,
    sql<LedgerWithdrawal>`
      select id, chain_id as "chainId", reference, status, txn_hash as "txnHash",
             failure_code as "failureCode"
        from withdrawals`,
  )
}

export function readSpends(database: SoakDatabase, name: string): Promise<LedgerSpend[]> {
  return database.many(
    name,
    sql<LedgerSpend>`
      select chain_id as "chainId", purpose, sender, state, txn_hash as "txnHash"
        from spends`,
  )
}

/** The addresses of the house by chain: deposit addresses, settlement and gas. */
export async function readAddresses(
  database: SoakDatabase,
  name: string,
): Promise<{ chainId: string; address: string; purpose: string }[]> {
  return database.many(
    name,
    sql<{ chainId: string; address: string; purpose: string }>`
      select chain_id as "chainId", address, purpose
        from watched_addresses`,
  )
}

/** What each claim comes to. */
export function readClaims(
  database: SoakDatabase,
  name: string,
): Promise<{ tokenId: string; account: string; amount: string }[]> {
  return database.many(
    name,
    sql<{ tokenId: string; account: string; amount: string }>`
      select token_id as "tokenId", account, sum(amount)::text as amount
        from balances
       where account like 'claim:%'
       group by token_id, account`,
  )
}

/** Alerts that are open, by code. */
export function readAlerts(
  database: SoakDatabase,
  name: string,
): Promise<{ code: string; subject: string; message: string }[]> {
  return database.many(
    name,
    sql<{ code: string; subject: string; message: string }>`
      select code, subject, message
        from alerts
       where resolved_at is null`,
  )
}

/** Where every chain stands. */
export function readTips(
  database: SoakDatabase,
  name: string,
): Promise<{ chainId: string; height: string; hash: string; condition: string }[]> {
  return database.many(
    name,
    sql<{ chainId: string; height: string; hash: string; condition: string }>`
      select chain_id as "chainId", tip_height as height, tip_hash as hash, condition
        from chain_states`,
  )
}

/** What is still under way. */
export async function readWaiting(
  database: SoakDatabase,
  name: string,
): Promise<Record<string, number>> {
  const [row] = await database.many(
    name,
    sql<Record<string, number>>`
      select (select count(*) from deposits where status = 'Detected')::int as deposits,
             (select count(*) from fundings where status = 'Detected')::int as fundings,
             (select count(*)
                from withdrawals
               where status in ('Pending', 'PendingApproval', 'Processing'))::int as withdrawals,
             (select count(*) from spends where state in ('Sent', 'Included'))::int as spends,
             (select count(*) from deliveries where state = 'pending')::int as deliveries`,
  )
  return row ?? {}
}
