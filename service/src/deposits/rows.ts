import type { ChainId, DepositStatus, TokenId } from '@sluice/wire'
import { sql } from 'kysely'
import { assert } from '../base/assert.ts'
import { type Millis, iso } from '../base/clock.ts'
import type { Address, BlockRef } from '../chains/port.ts'
import type { PlaceKind } from '../ledger/account.ts'
import type { Tx } from '../store/database.ts'
import {
  type Booked,
  type Deposit,
  type IncomingTransfer,
  type Move,
  isDeposit,
} from './deposit.ts'

export interface TransferRow {
  org_id: string
  id: string
  purpose: IncomingTransfer['purpose']
  chain_id: ChainId
  txn_hash: string
  position: string
  token_id: TokenId
  address: Address
  place: PlaceKind
  account_id: string | null
  account_chain_id: ChainId | null
  external_user_id: string
  sender_address: string
  amount: bigint
  net_movement: bigint
  status: DepositStatus
  booked: Booked
  gas_part: bigint
  held_cause: string
  cleared: boolean
  block_height: number
  block_hash: string
  matures_at: number | null
  confirmed_at: Millis | null
  confirmed_height: number | null
  created_at: Millis
  updated_at: Millis
}

export function fromRow(row: TransferRow): IncomingTransfer {
  const { purpose, account_id: accountId, account_chain_id: accountChainId } = row
  const fields = {
    orgId: row.org_id,
    id: row.id,
    chainId: row.chain_id,
    txnHash: row.txn_hash,
    position: row.position,
    tokenId: row.token_id,
    address: row.address,
    place: row.place,
    senderAddress: row.sender_address,
    amount: row.amount,
    netMovement: row.net_movement,
    status: row.status,
    booked: row.booked,
    gasPart: row.gas_part,
    heldCause: row.held_cause,
    cleared: row.cleared,
    block: { height: row.block_height, hash: row.block_hash },
    maturesAt: row.matures_at,
    confirmedAt: row.confirmed_at,
    confirmedHeight: row.confirmed_height,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
  if (purpose !== 'deposit') return { ...fields, purpose }
  assert(accountId !== null && accountChainId !== null, 'a deposit without an account', { ...row })
  return { ...fields, purpose, accountId, accountChainId, externalUserId: row.external_user_id }
}

/** The deposits among these rows. */
export function depositsOf(rows: readonly TransferRow[]): Deposit[] {
  return rows.map(fromRow).filter(isDeposit)
}

/** Inserts transfers as Detected, Held or Confirmed now; returns those with a new identity. */
export async function insertNew<T extends IncomingTransfer>(
  tx: Tx,
  transfers: readonly T[],
): Promise<T[]> {
  const now = iso(tx.clock.now())
  const accounts = transfers.map((t: IncomingTransfer) => (isDeposit(t) ? t : null))
  const rows = await tx.many(sql<{ id: string }>`
    insert into incoming_transfers (
           org_id, id, purpose, chain_id, txn_hash, position, token_id, address, place,
           account_id, account_chain_id, external_user_id, sender_address, amount, net_movement,
           block_height, block_hash, matures_at, status, booked, held_cause, confirmed_height,
           confirmed_at, created_at, updated_at)
    select u.*, case when confirmed_height is not null then ${now}::timestamptz end,
           ${now}::timestamptz, ${now}::timestamptz
      from unnest(
           ${transfers.map((t) => t.orgId)}::uuid[],
           ${transfers.map((t) => t.id)}::uuid[],
           ${transfers.map((t) => t.purpose)}::text[],
           ${transfers.map((t) => t.chainId)}::text[],
           ${transfers.map((t) => t.txnHash)}::text[],
           ${transfers.map((t) => t.position)}::text[],
           ${transfers.map((t) => t.tokenId)}::text[],
           ${transfers.map((t) => t.address)}::text[],
           ${transfers.map((t) => t.place)}::text[],
           ${accounts.map((t) => t?.accountId ?? null)}::uuid[],
           ${accounts.map((t) => t?.accountChainId ?? null)}::text[],
           ${accounts.map((t) => t?.externalUserId ?? '')}::text[],
           ${transfers.map((t) => t.senderAddress)}::text[],
           ${transfers.map((t) => t.amount)}::numeric[],
           ${transfers.map((t) => t.netMovement)}::numeric[],
           ${transfers.map((t) => t.block.height)}::bigint[],
           ${transfers.map((t) => t.block.hash)}::text[],
           ${transfers.map((t) => t.maturesAt)}::bigint[],
           ${transfers.map((t) => t.status)}::text[],
           ${transfers.map((t) => t.booked)}::text[],
           ${transfers.map((t) => t.heldCause)}::text[],
           ${transfers.map((t) => t.confirmedHeight)}::bigint[])
           as u (org_id, id, purpose, chain_id, txn_hash, position, token_id, address, place,
                 account_id, account_chain_id, external_user_id, sender_address, amount,
                 net_movement, block_height, block_hash, matures_at, status, booked, held_cause,
                 confirmed_height)
        on conflict (chain_id, txn_hash, position, address, token_id) do nothing
    returning id`)
  const inserted = new Set(rows.map(({ id }) => id))
  return transfers.filter(({ id }) => inserted.has(id))
}

/** Locks the stored records with the identities of these transfers, in one order. */
export async function lockByIdentity(
  tx: Tx,
  transfers: readonly IncomingTransfer[],
): Promise<IncomingTransfer[]> {
  const rows = await tx.many(sql<TransferRow>`
    select t.*
      from incoming_transfers t
      join unnest(
           ${transfers.map((t) => t.chainId)}::text[],
           ${transfers.map((t) => t.txnHash)}::text[],
           ${transfers.map((t) => t.position)}::text[],
           ${transfers.map((t) => t.address)}::text[],
           ${transfers.map((t) => t.tokenId)}::text[])
           as u (chain_id, txn_hash, position, address, token_id)
     using (chain_id, txn_hash, position, address, token_id)
     order by t.id
       for update of t`)
  return rows.map(fromRow)
}

/** Gives an orphaned record its new block, with amount and sender as the chain shows them now. */
export async function reviveRow(
  tx: Tx,
  id: string,
  seen: IncomingTransfer,
): Promise<IncomingTransfer> {
  const row = await tx.one(sql<TransferRow>`
    update incoming_transfers
       set status = 'Detected',
           booked = 'unconfirmed',
           gas_part = 0,
           held_cause = '',
           cleared = false,
           sender_address = ${seen.senderAddress},
           amount = ${seen.amount},
           net_movement = ${seen.netMovement},
           block_height = ${seen.block.height},
           block_hash = ${seen.block.hash},
           matures_at = ${seen.maturesAt},
           confirmed_at = null,
           confirmed_height = null,
           updated_at = ${iso(tx.clock.now())}
     where org_id = ${seen.orgId}
       and id = ${id}
       and status = 'Orphaned'
    returning *`)
  return fromRow(row)
}

/** A move of locked transfers; `gas` has the base units of a transfer that become gas, by id. */
interface Moving<T extends IncomingTransfer> {
  transfers: readonly T[]
  move: Move
  tip?: BlockRef
  cause?: string
  gas?: ReadonlyMap<string, bigint>
}

/**
 * The guarded update of every move: changes only rows whose state permits the move. Takes the
 * transfers as they were locked; returns those that moved, as they are now.
 */
export async function moveRows<T extends IncomingTransfer>(
  tx: Tx,
  { transfers, move, tip, cause = '', gas }: Moving<T>,
): Promise<T[]> {
  if (transfers.length === 0) return []
  const now = tx.clock.now()
  const isConfirmed = move.to === 'Confirmed'
  const splits = transfers.map(({ id, amount }) => splitOf(move, amount, gas?.get(id) ?? 0n))
  const rows = await tx.many(sql<{ id: string }>`
    update incoming_transfers t
       set status = ${move.to},
           booked = locked.booked,
           gas_part = locked.gas_part,
           held_cause = ${cause},
           cleared = cleared or ${move.to === 'Detected'},
           confirmed_at = case when ${isConfirmed} then ${iso(now)}::timestamptz
                               else confirmed_at end,
           confirmed_height = case when ${isConfirmed} then ${tip?.height ?? null}::bigint
                                   else confirmed_height end,
           updated_at = ${iso(now)}
      from (
           select l.row_at, u.booked, u.gas_part
             from unnest(
                  ${transfers.map(({ orgId }) => orgId)}::uuid[],
                  ${transfers.map(({ id }) => id)}::uuid[],
                  ${splits.map(({ booked }) => booked)}::text[],
                  ${splits.map(({ gasPart }) => gasPart)}::numeric[])
                  as u (org_id, id, booked, gas_part)
            cross join lateral (
                  select ctid as row_at
                    from incoming_transfers
                   where org_id = u.org_id
                     and id = u.id
                     and status = any(${move.from}::text[])
                     for update) l
           ) locked
     where t.ctid = locked.row_at
    returning t.id`)
  const moved = new Set(rows.map(({ id }) => id))
  return transfers.flatMap((transfer, index) => {
    if (!moved.has(transfer.id)) return []
    const changed = {
      status: move.to,
      ...splits[index],
      heldCause: cause,
      cleared: transfer.cleared || move.to === 'Detected',
      confirmedAt: isConfirmed ? now : transfer.confirmedAt,
      confirmedHeight: isConfirmed ? (tip?.height ?? null) : transfer.confirmedHeight,
      updatedAt: now,
    }
    return [{ ...transfer, ...changed }]
  })
}

function splitOf(move: Move, amount: bigint, gas: bigint): { booked: Booked; gasPart: bigint } {
  if (gas === amount) return { booked: 'gas', gasPart: 0n }
  return { booked: move.booked, gasPart: gas }
}

/** Whether a transfer of a chain is detected and not confirmed. */
export async function hasDetected(tx: Tx, chainId: ChainId): Promise<boolean> {
  const { is } = await tx.one(sql<{ is: boolean }>`
    select exists (
           select
             from incoming_transfers
            where chain_id = ${chainId}
              and status = 'Detected') as is`)
  return is
}

/**
 * Detected transfers above a height up to another, oldest block first, at most `limit`; of those
 * with a maturity, all that have matured by the tip.
 */
export async function selectWaiting(
  tx: Tx,
  range: { chainId: ChainId; above: number; upTo: number; tip: BlockRef; limit: number },
): Promise<IncomingTransfer[]> {
  const { chainId, above, upTo, tip, limit } = range
  const rows = await tx.many(sql<TransferRow>`
    select *
      from incoming_transfers
     where chain_id = ${chainId}
       and status = 'Detected'
       and matures_at is null
       and block_height > ${above}
       and block_height <= ${upTo}
     union all
    select *
      from incoming_transfers
     where chain_id = ${chainId}
       and status = 'Detected'
       and matures_at <= ${tip.height}
       and block_height <= ${upTo}
     order by block_height, id
     limit ${limit}`)
  return rows.map(fromRow)
}

/** Stores the user of its account in a locked deposit. */
export async function renameUser(
  tx: Tx,
  deposit: Deposit,
  externalUserId: string,
): Promise<Deposit> {
  await tx.run(sql`
    update incoming_transfers
       set external_user_id = ${externalUserId},
           updated_at = ${iso(tx.clock.now())}
     where org_id = ${deposit.orgId}
       and id = ${deposit.id}`)
  return { ...deposit, externalUserId }
}

/** Locks a transfer of any organization; null if the id is unknown. */
export async function lockById(tx: Tx, id: string): Promise<IncomingTransfer | null> {
  const row = await tx.maybe(sql<TransferRow>`
    select *
      from incoming_transfers
     where id = ${id}
       for update`)
  return row === null ? null : fromRow(row)
}

/**
 * Locks transfers by their primary keys, in one order, and returns their present state. A lateral
 * join looks each up, as in `moveRows`: without statistics the planner scans the whole table.
 */
export async function lockPresent(
  tx: Tx,
  transfers: readonly IncomingTransfer[],
): Promise<{ id: string; status: DepositStatus; blockHash: string }[]> {
  return tx.many(sql<{ id: string; status: DepositStatus; blockHash: string }>`
    select t.id, t.status, t.block_hash as "blockHash"
      from (select *
              from unnest(
                   ${transfers.map(({ orgId }) => orgId)}::uuid[],
                   ${transfers.map(({ id }) => id)}::uuid[]) as u (org_id, id)
             order by id) k
     cross join lateral (
           select id, status, block_hash
             from incoming_transfers
            where org_id = k.org_id
              and id = k.id
              for update) t`)
}

/** Locks the deposits below the minimum on this chain of the accounts of these deposits. */
export async function lockBelowMinimum(
  tx: Tx,
  { chainId, deposits }: { chainId: ChainId; deposits: readonly Deposit[] },
): Promise<Deposit[]> {
  const orgIds = [...new Set(deposits.map(({ orgId }) => orgId))]
  const accountIds = [...new Set(deposits.map(({ accountId }) => accountId))]
  const rows = await tx.many(sql<TransferRow>`
    select *
      from incoming_transfers
     where org_id = any(${orgIds}::uuid[])
       and account_id = any(${accountIds}::uuid[])
       and chain_id = ${chainId}
       and status = 'BelowMinimum'
     order by id
       for update`)
  return depositsOf(rows)
}

/** Locks every transfer of one block that is not orphaned. */
export async function lockOfBlock(
  tx: Tx,
  { chainId, block }: { chainId: ChainId; block: BlockRef },
): Promise<IncomingTransfer[]> {
  const rows = await tx.many(sql<TransferRow>`
    select *
      from incoming_transfers
     where chain_id = ${chainId}
       and block_height = ${block.height}
       and block_hash = ${block.hash}
       and status <> 'Orphaned'
     order by id
       for update`)
  return rows.map(fromRow)
}
