import { createHash } from 'node:crypto'
import { Client } from 'pg'
import type { Exchange } from '../../src/store/database.ts'

/** The data that the invariants check, read in one snapshot. */
export interface Picture {
  chains: { id: string; condition: string; height: number; hash: string; final: number | null }[]
  deposits: StoredDeposit[]
  fundings: StoredFunding[]
  unattributed: {
    id: string
    chain: string
    hash: string
    address: string
    tag: number | null
    token: string
    amount: string
    state: string
    block: string
    height: number
    org: string
  }[]
  withdrawals: StoredWithdrawal[]
  spends: StoredSpend[]
  signed: { hash: string; spend: string }[]
  balances: {
    org: string
    chain: string
    token: string
    account: string
    amount: string
    overdrawn: boolean
  }[]
  watched: { scope: string; address: string; org: string; purpose: string; chain: string }[]
  /** Withdrawals paid by a batch spend. */
  subjects: { spend: string; subject: string }[]
  approvals: { withdrawal: string; user: string; voided: boolean }[]
  /** Holds for fees of a withdrawal or a spend, in any status. */
  heldFees: { id: string; amount: string }[]
  counts: { events: number; deliveries: number; audit: number }
}

export interface StoredDeposit {
  id: string
  org: string
  chain: string
  hash: string
  position: string
  token: string
  address: string
  user: string
  amount: string
  status: string
  /** The cause of the hold; "" if not held. */
  cause: string
  booked: string
  height: number
  block: string
}

export interface StoredFunding {
  id: string
  org: string
  chain: string
  hash: string
  token: string
  address: string
  amount: string
  status: string
  /** The cause of the hold; "" if not held. */
  cause: string
  booked: string
  /** The part held for fees; the rest is available. */
  apart: string
  height: number
  block: string
}

export interface StoredWithdrawal {
  id: string
  org: string
  chain: string
  token: string
  amount: string
  recipient: string
  memo: string | null
  reference: string
  status: string
  failure: string | null
  hash: string | null
  required: number
  spend: string | null
  waiting: string | null
}

export interface StoredSpend {
  id: string
  org: string
  chain: string
  purpose: string
  subject: string
  sender: string
  nonce: string
  token: string
  recipient: string
  amount: string
  state: string
  succeeded: boolean | null
  /** The fee paid; null until it is included. */
  fee: string | null
  /** The highest fee of its last signed transaction. */
  maxFee: string
  hash: string
  height: number | null
  block: string | null
}

const TABLES: Readonly<Record<Exclude<keyof Picture, 'counts'>, string>> = {
  chains: `select chain_id as id, condition, tip_height as height, tip_hash as hash,
                  final_height as final from chain_states order by 1`,
  deposits: `select id, org_id as org, chain_id as chain, txn_hash as hash, position,
                    token_id as token, address, external_user_id as "user",
                    amount::text as amount, status, held_cause as cause, booked,
                    block_height as height, block_hash as block
               from incoming_transfers where purpose = 'deposit' order by 1`,
  fundings: `select id, org_id as org, chain_id as chain, txn_hash as hash, token_id as token,
                    address, amount::text as amount, status, held_cause as cause, booked,
                    gas_part::text as apart, block_height as height, block_hash as block
               from incoming_transfers where purpose <> 'deposit' order by 1`,
  unattributed: `select id, org_id as org, chain_id as chain, txn_hash as hash, address, tag,
                        token_id as token, amount::text as amount, state,
                        block_hash as block, block_height as height
                   from unattributed_deposits order by 1`,
  withdrawals: `select id, org_id as org, chain_id as chain, token_id as token,
                       amount::text as amount, recipient, memo, reference, status,
                       failure_code as failure, txn_hash as hash,
                       required_approvals as required, spend_id as spend, waiting_for as waiting
                  from withdrawals order by 1`,
  spends: `select id, org_id as org, chain_id as chain, purpose, subject_id as subject, sender,
                  nonce::text as nonce, token_id as token, recipient, amount::text as amount,
                  state, succeeded, fee::text as fee, max_fee::text as "maxFee", txn_hash as hash,
                  block_height as height, block_hash as block from spends order by 1`,
  signed: `select txn_hash as hash, spend_id as spend from spend_transactions order by 1`,
  balances: `select org_id as org, chain_id as chain, token_id as token, account,
                    amount::text as amount, overdrawn from balances
              where amount <> 0 or overdrawn order by 1, 2, 3, 4`,
  watched: `select scope, address, org_id as org, purpose, chain_id as chain
              from watched_addresses order by 1, 2`,
  subjects: `select spend_id as spend, subject_id as subject from spend_subjects order by 1, 2`,
  approvals: `select withdrawal_id as withdrawal, user_id as "user",
                     voided_at is not null as voided from withdrawal_approvals order by id`,
  heldFees: `select reference_id as id, sum(amount)::text as amount from postings
              where reason = 'withdrawal.fee-held' group by 1 order by 1`,
}

const WHOLE = `select json_build_object(${Object.entries(TABLES)
  .map(([name, query]) => `'${name}', (select coalesce(json_agg(q), '[]') from (${query}) q)`)
  .join(', ')}, 'counts', json_build_object(
    'events', (select count(*) from events),
    'deliveries', (select count(*) from deliveries),
    'audit', (select count(*) from audit_log)))::text as whole`

const LOCKED = `select count(*)::int as n
                  from pg_locks
                 where not granted
                   and pid in (select pid from pg_stat_activity
                                where datname = current_database())`

/** A connection to the database outside of the simulation. */
export class Looker {
  readonly #client: Client
  /** Looks past the turns of the others. */
  readonly #watchman: Client
  readonly #exchange: Exchange
  /** The hash of the last picture. */
  digest = ''

  constructor(adminUrl: string, exchange: Exchange) {
    this.#exchange = exchange
    this.#client = new Client({ connectionString: adminUrl })
    this.#watchman = new Client({ connectionString: adminUrl })
    for (const client of [this.#client, this.#watchman]) client.on('error', () => undefined)
  }

  async connect(): Promise<void> {
    await Promise.all([this.#client.connect(), this.#watchman.connect()])
  }

  /** The number of sessions that wait for a lock of another. */
  async countLocked(): Promise<number> {
    const { rows } = await this.#watchman.query<{ n: number }>({
      name: 'locked',
      text: LOCKED,
    })
    return rows[0]?.n ?? 0
  }

  async look(): Promise<Picture> {
    // With a name it is planned once.
    const { rows } = await this.#exchange(this.#client, () =>
      this.#client.query<{ whole: string }>({ name: 'whole', text: WHOLE }),
    )
    const [{ whole } = { whole: '' }] = rows
    this.digest = createHash('sha256').update(whole).digest('hex').slice(0, 12)
    return parsePicture(whole)
  }

  /** Any statement, past all policies. */
  async rows(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    const { rows } = await this.#exchange(this.#client, () =>
      this.#client.query<Record<string, unknown>>(text, values),
    )
    return rows
  }

  async close(): Promise<void> {
    await Promise.all([this.#client.end(), this.#watchman.end()])
  }
}

function parsePicture(text: string): Picture {
  return JSON.parse(text) as Picture
}
