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
  /**
   * The unspent outputs that each transaction signed for it spends; known for failed withdrawals.
   */
  signed: string[][]
}

export interface LedgerSpend {
  chainId: string
  purpose: string
  sender: string
  state: string
  txnHash: string
}

/** All deposits, orphaned ones too. */
export function readDeposits(database: SoakDatabase, name: string): Promise<LedgerDeposit[]> {
  return database.many(
    name,
    sql<LedgerDeposit>`
      select d.id, d.chain_id as "chainId", d.txn_hash as "txnHash", d.position, d.address,
             a.destination_tag::text as tag, d.token_id as "tokenId", d.amount::text as amount,
             d.external_user_id as "userId", d.status, d.block_hash as "blockHash"
        from incoming_transfers d
        join accounts a on a.org_id = d.org_id and a.id = d.account_id`,
  )
}

/** Deposits that are not orphaned. */
export function standing(deposits: readonly LedgerDeposit[]): LedgerDeposit[] {
  return deposits.filter(({ status }) => status !== 'Orphaned')
}

/** The block of the youngest deposit of a chain that is credited; null before the first. */
export async function readCredited(
  database: SoakDatabase,
  name: string,
  chainId: string,
): Promise<number | null> {
  const [row] = await database.many(
    name,
    sql<{ height: number | null }>`
      select max(block_height)::int as height
        from incoming_transfers
       where purpose = 'deposit'
         and chain_id = ${chainId}
         and status = 'Confirmed'`,
  )
  return row?.height ?? null
}

export async function readWithdrawals(
  database: SoakDatabase,
  name: string,
): Promise<LedgerWithdrawal[]> {
  const rows = await database.many(
    name,
    sql<Omit<LedgerWithdrawal, 'signed'>>`
      select id, chain_id as "chainId", reference, status, txn_hash as "txnHash",
             failure_code as "failureCode"
        from withdrawals`,
  )
  const signed = await readSigned(database, name)
  return rows.map((row) => ({ ...row, signed: [...(signed.get(row.id)?.values() ?? [])] }))
}

/** The inputs of transactions signed for failed withdrawals, by withdrawal and transaction. */
async function readSigned(
  database: SoakDatabase,
  name: string,
): Promise<Map<string, Map<string, string[]>>> {
  const rows = await database.many(
    name,
    sql<{ id: string; txnHash: string; coin: string | null }>`
      select f.id, t.txn_hash as "txnHash", c.coin_hash as coin
        from withdrawals f
        join spend_transactions t
          on t.spend_id = f.spend_id
          or t.spend_id in (select s.spend_id from spend_subjects s where s.subject_id = f.id)
        left join transaction_coins c on c.chain_id = t.chain_id and c.txn_hash = t.txn_hash
       where f.status = 'Failed'`,
  )
  return groupSigned(rows)
}

/**
 * By withdrawal and by transaction; a transaction without inputs is included, with no lost input.
 */
export function groupSigned(
  rows: readonly { id: string; txnHash: string; coin: string | null }[],
): Map<string, Map<string, string[]>> {
  const signed = new Map<string, Map<string, string[]>>()
  for (const { id, txnHash, coin } of rows) {
    const transactions = signed.get(id) ?? new Map<string, string[]>()
    signed.set(id, transactions)
    const coins = transactions.get(txnHash) ?? []
    transactions.set(txnHash, coin === null ? coins : [...coins, coin])
  }
  return signed
}

export function readSpends(database: SoakDatabase, name: string): Promise<LedgerSpend[]> {
  return database.many(
    name,
    sql<LedgerSpend>`
      select chain_id as "chainId", purpose, sender, state, txn_hash as "txnHash"
        from spends`,
  )
}

/** Own addresses by chain: deposit addresses, settlement and gas. */
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

/** The sum of each claim. */
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

/** Alerts that are open. Of tokens only these: the catalogue's others are not on the chains. */
export async function readAlerts(
  database: SoakDatabase,
  name: string,
  tokens: readonly string[],
): Promise<{ code: string; subject: string; message: string }[]> {
  const alerts = await database.many(
    name,
    sql<{ code: string; subject: string; message: string }>`
      select code, subject, message
        from alerts
       where resolved_at is null`,
  )
  return alerts.filter(({ code, subject }) => code !== 'token.mismatch' || tokens.includes(subject))
}

/** The tip of every chain. */
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

/** The open work. */
export async function readWaiting(
  database: SoakDatabase,
  name: string,
): Promise<Record<string, number>> {
  const [row] = await database.many(
    name,
    sql<Record<string, number>>`
      select (select count(*)
                from incoming_transfers
               where status = 'Detected'
                 and purpose = 'deposit')::int as deposits,
             (select count(*)
                from incoming_transfers
               where status = 'Detected'
                 and purpose <> 'deposit')::int as fundings,
             (select count(*)
                from withdrawals
               where status in ('Pending', 'PendingApproval', 'Processing'))::int as withdrawals,
             (select count(*) from spends where state in ('Sent', 'Included'))::int as spends,
             (select count(*) from deliveries where state = 'pending')::int as deliveries`,
  )
  return row ?? {}
}
