import type { ChainId, DepositStatus, TokenId } from '@sluice/wire'
import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Address, BlockRef } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import type { Booked, Deposit, Move } from './deposit.ts'

export interface DepositRow {
  org_id: string
  id: string
  chain_id: ChainId
  txn_hash: string
  position: string
  account_id: string
  token_id: TokenId
  account_chain_id: ChainId
  external_user_id: string
  address: Address
  sender_address: string
  amount: bigint
  net_movement: bigint
  status: DepositStatus
  booked: Booked
  held_cause: string
  cleared: boolean
  block_height: number
  block_hash: string
  confirmed_at: Millis | null
  confirmed_height: number | null
  created_at: Millis
  updated_at: Millis
}

/** One row as the room speaks of it. */
export function fromRow(row: DepositRow): Deposit {
  return {
    orgId: row.org_id,
    id: row.id,
    chainId: row.chain_id,
    txnHash: row.txn_hash,
    position: row.position,
    accountId: row.account_id,
    tokenId: row.token_id,
    accountChainId: row.account_chain_id,
    externalUserId: row.external_user_id,
    address: row.address,
    senderAddress: row.sender_address,
    amount: row.amount,
    netMovement: row.net_movement,
    status: row.status,
    booked: row.booked,
    heldCause: row.held_cause,
    cleared: row.cleared,
    block: { height: row.block_height, hash: row.block_hash },
    confirmedAt: row.confirmed_at,
    confirmedHeight: row.confirmed_height,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Inserts those whose identity is new; the answer holds these alone. */
export async function insertNew(tx: Tx, deposits: readonly Deposit[]): Promise<Deposit[]> {
  const now = iso(tx.clock.now())
  const rows = await tx.many(sql<DepositRow>`
    insert into deposits (
           org_id, id, chain_id, txn_hash, position, account_id, token_id, account_chain_id,
           external_user_id, address, sender_address, amount, net_movement, block_height,
           block_hash, status, booked, created_at, updated_at)
    select u.*, 'Detected', 'unconfirmed', ${now}::timestamptz, ${now}::timestamptz
      from unnest(
           ${deposits.map((d) => d.orgId)}::uuid[],
           ${deposits.map((d) => d.id)}::uuid[],
           ${deposits.map((d) => d.chainId)}::text[],
           ${deposits.map((d) => d.txnHash)}::text[],
           ${deposits.map((d) => d.position)}::text[],
           ${deposits.map((d) => d.accountId)}::uuid[],
           ${deposits.map((d) => d.tokenId)}::text[],
           ${deposits.map((d) => d.accountChainId)}::text[],
           ${deposits.map((d) => d.externalUserId)}::text[],
           ${deposits.map((d) => d.address)}::text[],
           ${deposits.map((d) => d.senderAddress)}::text[],
           ${deposits.map((d) => d.amount)}::numeric[],
           ${deposits.map((d) => d.netMovement)}::numeric[],
           ${deposits.map((d) => d.block.height)}::bigint[],
           ${deposits.map((d) => d.block.hash)}::text[]) as u
        on conflict (chain_id, txn_hash, position, account_id, token_id) do nothing
    returning *`)
  return rows.map(fromRow)
}

/** Locks the records that already stand under the identities of these transfers, in one order. */
export async function lockByIdentity(tx: Tx, deposits: readonly Deposit[]): Promise<Deposit[]> {
  const rows = await tx.many(sql<DepositRow>`
    select d.*
      from deposits d
      join unnest(
           ${deposits.map((d) => d.chainId)}::text[],
           ${deposits.map((d) => d.txnHash)}::text[],
           ${deposits.map((d) => d.position)}::text[],
           ${deposits.map((d) => d.accountId)}::uuid[],
           ${deposits.map((d) => d.tokenId)}::text[])
           as u (chain_id, txn_hash, position, account_id, token_id)
     using (chain_id, txn_hash, position, account_id, token_id)
     order by d.id
       for update of d`)
  return rows.map(fromRow)
}

/**
 * Gives an orphaned record its new block; amount and sender are the chain's, so they are taken
 * anew.
 */
export async function reviveRow(tx: Tx, id: string, seen: Deposit): Promise<Deposit> {
  const row = await tx.one(sql<DepositRow>`
    update deposits
       set status = 'Detected',
           booked = 'unconfirmed',
           held_cause = '',
           cleared = false,
           sender_address = ${seen.senderAddress},
           amount = ${seen.amount},
           net_movement = ${seen.netMovement},
           block_height = ${seen.block.height},
           block_hash = ${seen.block.hash},
           confirmed_at = null,
           confirmed_height = null,
           updated_at = ${iso(tx.clock.now())}
     where org_id = ${seen.orgId}
       and id = ${id}
       and status = 'Orphaned'
    returning *`)
  return fromRow(row)
}

/**
 * The guarded update behind every move: only rows still in a state the move starts from are
 * changed.
 */
export async function moveRows(
  tx: Tx,
  { ids, move, tip, cause }: { ids: readonly string[]; move: Move; tip?: BlockRef; cause?: string },
): Promise<Deposit[]> {
  const now = iso(tx.clock.now())
  const confirmed = move.to === 'Confirmed'
  const rows = await tx.many(sql<DepositRow>`
    update deposits
       set status = ${move.to},
           booked = ${move.booked},
           held_cause = ${cause ?? ''},
           cleared = cleared or ${move.to === 'Detected'},
           confirmed_at = case when ${confirmed} then ${now}::timestamptz else confirmed_at end,
           confirmed_height = case when ${confirmed} then ${tip?.height ?? null}::bigint
                                   else confirmed_height end,
           updated_at = ${now}
     where id = any(${ids}::uuid[])
       and status = any(${move.from}::text[])
    returning *`)
  return rows.map(fromRow)
}

/** Detected deposits at or under a height, oldest block first, at most `limit`. */
export async function selectWaiting(
  tx: Tx,
  { chainId, upTo, limit }: { chainId: ChainId; upTo: number; limit: number },
): Promise<Deposit[]> {
  const rows = await tx.many(sql<DepositRow>`
    select *
      from deposits
     where chain_id = ${chainId}
       and status = 'Detected'
       and block_height <= ${upTo}
     order by block_height, id
     limit ${limit}`)
  return rows.map(fromRow)
}

/** Locks deposits by id, in one order. */
export async function lockByIds(tx: Tx, ids: readonly string[]): Promise<Deposit[]> {
  const rows = await tx.many(sql<DepositRow>`
    select *
      from deposits
     where id = any(${ids}::uuid[])
     order by id
       for update`)
  return rows.map(fromRow)
}

/** Locks what waits below the minimum for these accounts on this chain. */
export async function lockBelowMinimum(
  tx: Tx,
  { chainId, accountIds }: { chainId: ChainId; accountIds: readonly string[] },
): Promise<Deposit[]> {
  const rows = await tx.many(sql<DepositRow>`
    select *
      from deposits
     where account_id = any(${accountIds}::uuid[])
       and chain_id = ${chainId}
       and status = 'BelowMinimum'
     order by id
       for update`)
  return rows.map(fromRow)
}

/** Locks every live deposit of one block. */
export async function lockOfBlock(
  tx: Tx,
  { chainId, block }: { chainId: ChainId; block: BlockRef },
): Promise<Deposit[]> {
  const rows = await tx.many(sql<DepositRow>`
    select *
      from deposits
     where chain_id = ${chainId}
       and block_height = ${block.height}
       and block_hash = ${block.hash}
       and status <> 'Orphaned'
     order by id
       for update`)
  return rows.map(fromRow)
}

/** What live deposits put on an address after a height, in base units. */
export async function sumAbove(
  tx: Tx,
  given: { chainId: ChainId; tokenId: TokenId; address: Address; height: number },
): Promise<bigint> {
  const row = await tx.one(sql<{ total: bigint }>`
    select coalesce(sum(amount), 0)::numeric as total
      from deposits
     where chain_id = ${given.chainId}
       and block_height > ${given.height}
       and token_id = ${given.tokenId}
       and address = ${given.address}
       and status <> 'Orphaned'`)
  return row.total
}
