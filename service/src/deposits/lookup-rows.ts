import type { ChainId, TokenId } from '@sluice/wire'
import { sql } from 'kysely'
import type { Address, BlockRef } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import { type BlocksWanted, selectHighestBlocks } from '../store/highest-blocks.ts'
import type { Deposit, IncomingTransfer } from './deposit.ts'
import { type TransferRow, depositsOf, fromRow } from './rows.ts'
import type { Recorded } from './twin.ts'

/** One deposit; null if the organization has none with this id. */
export async function selectDeposit(
  tx: Tx,
  { orgId, id }: { orgId: string; id: string },
): Promise<Deposit | null> {
  const rows = await tx.many(sql<TransferRow>`
    select *
      from incoming_transfers
     where org_id = ${orgId}
       and id = ${id}
       and purpose = 'deposit'`)
  return depositsOf(rows)[0] ?? null
}

/** The transfers of one transaction, in the order of their positions. */
export async function selectOfTransaction(
  tx: Tx,
  { chainId, txnHash }: { chainId: ChainId; txnHash: string },
): Promise<IncomingTransfer[]> {
  const rows = await tx.many(sql<TransferRow>`
    select *
      from incoming_transfers
     where chain_id = ${chainId}
       and txn_hash = ${txnHash}
     order by position, id`)
  return rows.map(fromRow)
}

/** The highest blocks up to a height that have transfers which are not orphaned. */
export async function selectBlocksUpTo(tx: Tx, wanted: BlocksWanted): Promise<BlockRef[]> {
  const counts = sql`status <> 'Orphaned'`
  const table = 'incoming_transfers'
  const source = { table, height: 'block_height', hash: 'block_hash', counts }
  return selectHighestBlocks(tx, wanted, [source])
}

/** Transfers by logs in the blocks and at the addresses of some, those included, not orphaned. */
export async function selectLogsBeside(
  tx: Tx,
  {
    chainId,
    logs,
  }: { chainId: ChainId; logs: readonly Pick<IncomingTransfer, 'address' | 'block'>[] },
): Promise<Recorded[]> {
  if (logs.length === 0) return []
  return tx.many(sql<Recorded>`
    select id, txn_hash as "txnHash", position, token_id as "tokenId", address,
           net_movement as "netMovement", block_hash as "blockHash", held_cause as "heldCause",
           booked in ('available', 'gas', 'below_minimum') as "isCredited"
      from incoming_transfers
     where chain_id = ${chainId}
       and block_height = any(${logs.map(({ block }) => block.height)}::bigint[])
       and address = any(${logs.map(({ address }) => address)}::text[])
       and position like 'log:%'
       and status <> 'Orphaned'`)
}

/** Money at addresses of some organizations that is not credited yet. */
export interface UnsettledQuery {
  chainId: ChainId
  orgIds: readonly string[]
  addresses: readonly Address[]
}

/** Base units on these addresses that are not credited, by token; reads one index per state. */
export async function selectUnsettled(
  tx: Tx,
  { chainId, orgIds, addresses }: UnsettledQuery,
): Promise<{ address: Address; tokenId: TokenId; amount: bigint }[]> {
  return tx.many(sql<{ address: Address; tokenId: TokenId; amount: bigint }>`
    select address, token_id as "tokenId", sum(amount)::numeric as amount
      from (select address, token_id, amount
              from incoming_transfers
             where chain_id = ${chainId}
               and status = 'Detected'
               and address = any(${addresses}::text[])
             union all
            select address, token_id, amount
              from incoming_transfers
             where org_id = any(${orgIds}::uuid[])
               and chain_id = ${chainId}
               and status = 'BelowMinimum'
               and address = any(${addresses}::text[])
             union all
            select address, token_id, amount
              from incoming_transfers
             where chain_id = ${chainId}
               and status = 'Held'
               and address = any(${addresses}::text[])) u
     group by address, token_id`)
}

/** Deposits of a chain that are held for this cause, newest first, at most `limit`. */
export async function selectHeldFor(
  tx: Tx,
  { chainId, cause, limit }: { chainId: ChainId; cause: string; limit: number },
): Promise<Deposit[]> {
  const rows = await tx.many(sql<TransferRow>`
    select *
      from incoming_transfers
     where chain_id = ${chainId}
       and status = 'Held'
       and purpose = 'deposit'
       and held_cause = ${cause}
     order by id desc
     limit ${limit}`)
  return depositsOf(rows)
}

/** Locks, in one order, those of these held deposits that did not change since they were read. */
export async function lockHeldSince(tx: Tx, deposits: readonly Deposit[]): Promise<Deposit[]> {
  const read = new Map(deposits.map((deposit) => [deposit.id, deposit]))
  const rows = await tx.many(sql<TransferRow>`
    select t.*
      from incoming_transfers t
      join unnest(
           ${deposits.map(({ orgId }) => orgId)}::uuid[],
           ${deposits.map(({ id }) => id)}::uuid[]) as u (org_id, id)
     using (org_id, id)
     where t.status = 'Held'
     order by t.id
       for update of t`)
  return depositsOf(rows).filter((now) => {
    const then = read.get(now.id)
    return (
      then?.heldCause === now.heldCause &&
      then.block.hash === now.block.hash &&
      then.updatedAt === now.updatedAt
    )
  })
}
