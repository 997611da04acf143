import type { ChainId, DepositStatus, TokenId } from '@sluice/wire'
import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Address, BlockRef } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import { type BlocksWanted, selectHighestBlocks } from '../store/highest-blocks.ts'
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
  matures_at: number | null
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
    maturesAt: row.matures_at,
    confirmedAt: row.confirmed_at,
    confirmedHeight: row.confirmed_height,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/**
 * Inserts those whose identity is new, Detected, Held or Confirmed now; the answer holds these
 * alone, in their order.
 */
export async function insertNew(tx: Tx, deposits: readonly Deposit[]): Promise<Deposit[]> {
  const now = iso(tx.clock.now())
  const rows = await tx.many(sql<{ id: string }>`
    insert into deposits (
           org_id, id, chain_id, txn_hash, position, account_id, token_id, account_chain_id,
           external_user_id, address, sender_address, amount, net_movement, block_height,
           block_hash, matures_at, status, booked, held_cause, confirmed_height, confirmed_at,
           created_at, updated_at)
    select u.*, case when confirmed_height is not null then ${now}::timestamptz end,
           ${now}::timestamptz, ${now}::timestamptz
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
           ${deposits.map((d) => d.block.hash)}::text[],
           ${deposits.map((d) => d.maturesAt)}::bigint[],
           ${deposits.map((d) => d.status)}::text[],
           ${deposits.map((d) => d.booked)}::text[],
           ${deposits.map((d) => d.heldCause)}::text[],
           ${deposits.map((d) => d.confirmedHeight)}::bigint[])
           as u (org_id, id, chain_id, txn_hash, position, account_id, token_id,
                 account_chain_id, external_user_id, address, sender_address, amount,
                 net_movement, block_height, block_hash, matures_at, status, booked,
                 held_cause, confirmed_height)
        on conflict (chain_id, txn_hash, position, account_id, token_id) do nothing
    returning id`)
  const inserted = new Set(rows.map(({ id }) => id))
  return deposits.filter(({ id }) => inserted.has(id))
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

/**
 * The guarded update behind every move: only rows still in a state the move starts from are
 * changed. Give the deposits as they are locked; the answer holds those that moved, as they are
 * now.
 */
export async function moveRows(
  tx: Tx,
  given: { deposits: readonly Deposit[]; move: Move; tip?: BlockRef; cause?: string },
): Promise<Deposit[]> {
  const { deposits, move, tip, cause = '' } = given
  if (deposits.length === 0) return []
  const now = tx.clock.now()
  const confirmed = move.to === 'Confirmed'
  const rows = await tx.many(sql<{ id: string }>`
    update deposits d
       set status = ${move.to},
           booked = ${move.booked},
           held_cause = ${cause},
           cleared = cleared or ${move.to === 'Detected'},
           confirmed_at = case when ${confirmed} then ${iso(now)}::timestamptz
                               else confirmed_at end,
           confirmed_height = case when ${confirmed} then ${tip?.height ?? null}::bigint
                                   else confirmed_height end,
           updated_at = ${iso(now)}
      from (
           select l.place
             from ${keysOf(deposits)}
            cross join lateral (
                  select ctid as place
                    from deposits
                   where org_id = u.org_id
                     and id = u.id
                     and status = any(${move.from}::text[])
                     for update) l
           ) locked
     where d.ctid = locked.place
    returning d.id`)
  const moved = new Set(rows.map(({ id }) => id))
  return deposits
    .filter(({ id }) => moved.has(id))
    .map((deposit) => ({
      ...deposit,
      status: move.to,
      booked: move.booked,
      heldCause: cause,
      cleared: deposit.cleared || move.to === 'Detected',
      confirmedAt: confirmed ? now : deposit.confirmedAt,
      confirmedHeight: confirmed ? (tip?.height ?? null) : deposit.confirmedHeight,
      updatedAt: now,
    }))
}

/**
 * Detected deposits above a height up to another, oldest block first, at most `limit`. Of those
 * whose coins mature later than others are confirmed, all that have by the tip.
 */
export async function selectWaiting(
  tx: Tx,
  given: { chainId: ChainId; above: number; upTo: number; tip: BlockRef; limit: number },
): Promise<Deposit[]> {
  const { chainId, above, upTo, tip, limit } = given
  const rows = await tx.many(sql<DepositRow>`
    select *
      from deposits
     where chain_id = ${chainId}
       and status = 'Detected'
       and matures_at is null
       and block_height > ${above}
       and block_height <= ${upTo}
     union all
    select *
      from deposits
     where chain_id = ${chainId}
       and status = 'Detected'
       and matures_at <= ${tip.height}
       and block_height <= ${upTo}
     order by block_height, id
     limit ${limit}`)
  return rows.map(fromRow)
}

/** Writes the user of its account into a locked deposit. */
export async function renameUser(
  tx: Tx,
  deposit: Deposit,
  externalUserId: string,
): Promise<Deposit> {
  await tx.run(sql`
    update deposits
       set external_user_id = ${externalUserId},
           updated_at = ${iso(tx.clock.now())}
     where org_id = ${deposit.orgId}
       and id = ${deposit.id}`)
  return { ...deposit, externalUserId }
}

/** Locks a deposit of whichever organization; null where there is none. */
export async function lockById(tx: Tx, id: string): Promise<Deposit | null> {
  const row = await tx.maybe(sql<DepositRow>`
    select *
      from deposits
     where id = ${id}
       for update`)
  return row === null ? null : fromRow(row)
}

/**
 * Locks deposits by their keys, in one order, and tells where they stand now. Each is looked up by
 * itself, here and in `moveRows`: the planner would rather read a table whole of which it has not
 * heard yet how large it became.
 */
export async function lockStanding(
  tx: Tx,
  deposits: readonly Deposit[],
): Promise<{ id: string; status: DepositStatus; blockHash: string }[]> {
  return tx.many(sql<{ id: string; status: DepositStatus; blockHash: string }>`
    select d.id, d.status, d.block_hash as "blockHash"
      from (select * from ${keysOf(deposits)} order by id) k
     cross join lateral (
           select id, status, block_hash
             from deposits
            where org_id = k.org_id
              and id = k.id
              for update) d`)
}

/** The primary keys as a table `u`: an id alone has no index. */
function keysOf(deposits: readonly Deposit[]) {
  return sql`unnest(
           ${deposits.map(({ orgId }) => orgId)}::uuid[],
           ${deposits.map(({ id }) => id)}::uuid[]) as u (org_id, id)`
}

/** Locks what waits below the minimum on this chain for the accounts of these deposits. */
export async function lockBelowMinimum(
  tx: Tx,
  { chainId, deposits }: { chainId: ChainId; deposits: readonly Deposit[] },
): Promise<Deposit[]> {
  const orgIds = [...new Set(deposits.map(({ orgId }) => orgId))]
  const accountIds = [...new Set(deposits.map(({ accountId }) => accountId))]
  const rows = await tx.many(sql<DepositRow>`
    select *
      from deposits
     where org_id = any(${orgIds}::uuid[])
       and account_id = any(${accountIds}::uuid[])
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

/** The highest blocks up to a height that have live deposits, highest first. */
export async function selectBlocksUpTo(tx: Tx, wanted: BlocksWanted): Promise<BlockRef[]> {
  const counts = sql`status <> 'Orphaned'`
  const source = { table: 'deposits', height: 'block_height', hash: 'block_hash', counts }
  return selectHighestBlocks(tx, wanted, [source])
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
