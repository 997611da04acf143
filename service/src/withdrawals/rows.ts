import type { ChainId, TokenId, WithdrawalStatus } from '@sluice/wire'
import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import { firstWait, type Move, type WaitingFor, type Withdrawal } from './withdrawal.ts'

/** A row of `withdrawals`, with the users whose approvals are not void. */
export interface WithdrawalRow {
  org_id: string
  id: string
  chain_id: ChainId
  token_id: TokenId
  amount: bigint
  recipient: Address
  memo: string | null
  reference: string
  internal_note: string | null
  external_user_id: string | null
  status: WithdrawalStatus
  required_approvals: number
  required_humans: number
  initiator: string
  mac: Uint8Array
  spend_id: string | null
  txn_hash: string | null
  txn_error: string | null
  failure_code: string | null
  fee: bigint | null
  waiting_for: WaitingFor | null
  waiting_since: Millis | null
  completed_at: Millis | null
  created_at: Millis
  updated_at: Millis
  approvers: string[]
}

/** The approvers of a row of `withdrawals w` as a column, the initiator first. */
export const approversColumn = sql`
       array(select a.user_id::text
               from withdrawal_approvals a
              where a.org_id = w.org_id
                and a.withdrawal_id = w.id
                and a.voided_at is null
              order by a.totp_step > 0 or a.passkey_id is not null, a.created_at, a.id)
              as approvers`

export async function selectWithdrawal(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<Withdrawal | null> {
  const row = await tx.maybe(sql<WithdrawalRow>`
    select w.*, ${approversColumn}
      from withdrawals w
     where w.org_id = ${orgId}
       and w.id = ${id}`)
  return row === null ? null : fromRow(row)
}

/** As `selectWithdrawal`, by its id alone; for the operator, who sees every organization. */
export async function selectById(tx: Tx, id: string): Promise<Withdrawal | null> {
  const row = await tx.maybe(sql<WithdrawalRow>`
    select w.*, ${approversColumn}
      from withdrawals w
     where w.id = ${id}`)
  return row === null ? null : fromRow(row)
}

/** The withdrawals of an organization that have one of the references. */
export async function selectByReferences(
  tx: Tx,
  { orgId, references }: { orgId: string; references: readonly string[] },
): Promise<Withdrawal[]> {
  if (references.length === 0) return []
  const rows = await tx.many(sql<WithdrawalRow>`
    select w.*, ${approversColumn}
      from withdrawals w
     where w.org_id = ${orgId}
       and w.reference = any(${references}::text[])`)
  return rows.map(fromRow)
}

/**
 * Locks rows until the commit, in the order of their ids. A second statement reads the approvers:
 * one that waited for the lock would still see the approvers from before it.
 */
export async function lockWithdrawals(
  tx: Tx,
  { orgId, ids }: { orgId: string; ids: readonly string[] },
): Promise<Withdrawal[]> {
  await tx.run(sql`
    select id
      from withdrawals
     where org_id = ${orgId}
       and id = any(${ids}::uuid[])
     order by id
       for update`)
  const rows = await tx.many(sql<WithdrawalRow>`
    select w.*, ${approversColumn}
      from withdrawals w
     where w.org_id = ${orgId}
       and w.id = any(${ids}::uuid[])
     order by w.id`)
  return rows.map(fromRow)
}

/**
 * A guarded move; null if the status of the withdrawal does not permit it. The reason to wait
 * becomes that of the new status (`firstWait`); omitted fields keep their values.
 */
export async function moveWithdrawal(
  tx: Tx,
  change: {
    orgId: string
    id: string
    move: Move
    txnError?: string
    failureCode?: string
  },
): Promise<Withdrawal | null> {
  const { orgId, id, move, txnError = null, failureCode = null } = change
  const waitingFor = firstWait(move.to)
  const row = await tx.maybe(sql<WithdrawalRow>`
    update withdrawals w
       set status = ${move.to},
           txn_error = coalesce(${txnError}, txn_error),
           failure_code = coalesce(${failureCode}, failure_code),
           waiting_for = ${waitingFor}::text,
           waiting_since = case
             when ${waitingFor}::text is null then null
             when waiting_for = ${waitingFor}::text then waiting_since
             else ${iso(tx.clock.now())}::timestamptz end,
           updated_at = ${iso(tx.clock.now())}
     where w.org_id = ${orgId}
       and w.id = ${id}
       and w.status = any(${move.from}::text[])
 returning w.*, ${approversColumn}`)
  return row === null ? null : fromRow(row)
}

/**
 * Records the outcome on the chain; only the engine's role may. Omitted fields keep their values.
 */
export async function noteOutcome(
  tx: Tx,
  outcome: {
    orgId: string
    id: string
    spendId?: string
    txnHash?: string
    fee?: bigint
    completedAt?: Millis
  },
): Promise<Withdrawal> {
  const { orgId, id, spendId = null, txnHash = null, fee = null, completedAt } = outcome
  const row = await tx.one(sql<WithdrawalRow>`
    update withdrawals w
       set spend_id = coalesce(${spendId}::uuid, spend_id),
           txn_hash = coalesce(${txnHash}, txn_hash),
           fee = coalesce(${fee}::numeric, fee),
           completed_at = coalesce(
             ${completedAt === undefined ? null : iso(completedAt)}::timestamptz, completed_at),
           updated_at = ${iso(tx.clock.now())}
     where w.org_id = ${orgId}
       and w.id = ${id}
 returning w.*, ${approversColumn}`)
  return fromRow(row)
}

/** Records the transaction of those withdrawals that are `Processing`. */
export async function nameTransaction(
  tx: Tx,
  { orgId, ids, txnHash }: { orgId: string; ids: readonly string[]; txnHash: string },
): Promise<void> {
  await tx.run(sql`
    update withdrawals
       set txn_hash = ${txnHash},
           updated_at = ${iso(tx.clock.now())}
     where org_id = ${orgId}
       and id = any(${ids}::uuid[])
       and status = 'Processing'`)
}

/**
 * Records the reason why a pending withdrawal waits; the time is kept if the reason is the same.
 */
export async function noteWaiting(
  tx: Tx,
  { orgId, id, waitingFor }: { orgId: string; id: string; waitingFor: WaitingFor },
): Promise<Withdrawal | null> {
  const row = await tx.maybe(sql<WithdrawalRow>`
    update withdrawals w
       set waiting_since = case
             when waiting_for = ${waitingFor} then waiting_since
             else ${iso(tx.clock.now())}::timestamptz end,
           waiting_for = ${waitingFor}
     where w.org_id = ${orgId}
       and w.id = ${id}
       and w.status = 'Pending'
 returning w.*, ${approversColumn}`)
  return row === null ? null : fromRow(row)
}

/** Those of these withdrawals, of any organization, that are pending. */
export async function selectPendingAmong(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx.many(sql<{ id: string }>`
    select id
      from withdrawals
     where id = any(${ids}::uuid[])
       and status = 'Pending'`)
  return new Set(rows.map(({ id }) => id))
}

/** The pending withdrawals among these, of any organization, that wait for funds. */
export async function selectWaitingForFunds(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx.many(sql<{ id: string }>`
    select id
      from withdrawals
     where id = any(${ids}::uuid[])
       and status = 'Pending'
       and waiting_for = 'funds'`)
  return new Set(rows.map(({ id }) => id))
}

/** A place among the pending withdrawals of a chain: creation, then id. */
export interface PendingPlace {
  createdAt: Millis
  id: string
}

/**
 * Pending withdrawals of a chain, of all organizations except `but`, oldest first, after a place.
 */
export async function selectPending(
  tx: Tx,
  page: {
    chainId: ChainId
    after: PendingPlace | null
    limit: number
    but: readonly string[]
  },
): Promise<Withdrawal[]> {
  const { chainId, after, limit, but } = page
  const rows = await tx.many(sql<WithdrawalRow>`
    select w.*, ${approversColumn}
      from withdrawals w
     where w.chain_id = ${chainId}
       and w.status = 'Pending'
       and w.org_id <> all(${but}::uuid[])
       and (w.created_at, w.id) > (
           ${after === null ? '-infinity' : iso(after.createdAt)}::timestamptz,
           ${after === null ? '00000000-0000-0000-0000-000000000000' : after.id}::uuid)
     order by w.created_at, w.id
     limit ${limit}`)
  return rows.map(fromRow)
}

/** The pending withdrawals of an organization on a chain. */
export async function selectUnsigned(
  tx: Tx,
  { orgId, chainId }: { orgId: string; chainId: ChainId },
): Promise<Withdrawal[]> {
  const rows = await tx.many(sql<WithdrawalRow>`
    select w.*, ${approversColumn}
      from withdrawals w
     where w.org_id = ${orgId}
       and w.chain_id = ${chainId}
       and w.status = 'Pending'`)
  return rows.map(fromRow)
}

/** How many withdrawals of an organization and a token are pending. */
export async function countPending(
  tx: Tx,
  { orgId, chainId, tokenId }: { orgId: string; chainId: ChainId; tokenId: TokenId },
): Promise<number> {
  const { count } = await tx.one(sql<{ count: number }>`
    select count(*)::int as count
      from withdrawals
     where org_id = ${orgId}
       and chain_id = ${chainId}
       and token_id = ${tokenId}
       and status = 'Pending'`)
  return count
}

/** Sums of the pending withdrawals of a chain, if at least one of them waits for funds. */
export async function selectDemand(
  tx: Tx,
  chainId: ChainId,
): Promise<{ orgId: string; tokenId: TokenId; amount: bigint }[]> {
  return tx.many(sql<{ orgId: string; tokenId: TokenId; amount: bigint }>`
    select org_id as "orgId", token_id as "tokenId", sum(amount) as amount
      from withdrawals
     where chain_id = ${chainId}
       and status = 'Pending'
     group by org_id, token_id
    having bool_or(waiting_for = 'funds')
     order by org_id, token_id`)
}

/** Organizations with a pending withdrawal on a chain that waits for gas. */
export async function selectStarved(tx: Tx, chainId: ChainId): Promise<Set<string>> {
  const rows = await tx.many(sql<{ orgId: string }>`
    select distinct org_id as "orgId"
      from withdrawals
     where chain_id = ${chainId}
       and status = 'Pending'
       and waiting_for = 'gas'`)
  return new Set(rows.map(({ orgId }) => orgId))
}

/** Unsigned withdrawals of an organization that need more than `moreThan` approvals. */
export async function selectDemanding(
  tx: Tx,
  { orgId, moreThan }: { orgId: string; moreThan: number },
): Promise<Withdrawal[]> {
  const rows = await tx.many(sql<WithdrawalRow>`
    select w.*, ${approversColumn}
      from withdrawals w
     where w.org_id = ${orgId}
       and w.status in ('Pending', 'PendingApproval')
       and greatest(w.required_approvals, w.required_humans) > ${moreThan}
     order by w.id`)
  return rows.map(fromRow)
}

/** Converts a row. */
export function fromRow(row: WithdrawalRow): Withdrawal {
  return {
    orgId: row.org_id,
    id: row.id,
    chainId: row.chain_id,
    tokenId: row.token_id,
    amount: row.amount,
    recipient: row.recipient,
    memo: row.memo,
    reference: row.reference,
    internalNote: row.internal_note,
    externalUserId: row.external_user_id,
    status: row.status,
    requiredApprovals: row.required_approvals,
    requiredHumans: row.required_humans,
    initiator: row.initiator,
    mac: row.mac,
    approvers: row.approvers,
    spendId: row.spend_id,
    txnHash: row.txn_hash,
    txnError: row.txn_error,
    failureCode: row.failure_code,
    fee: row.fee,
    waitingFor: row.waiting_for,
    waitingSince: row.waiting_since,
    completedAt: row.completed_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
