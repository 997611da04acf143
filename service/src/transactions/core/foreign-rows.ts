import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import { iso } from '../../base/clock.ts'
import type { Address, BlockRef } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'

/** A transaction of a sender of ours that we did not sign, or have forgotten. */
export interface ForeignTransaction {
  chainId: ChainId
  txnHash: string
  orgId: string
  sender: Address
  /** Null on chains without nonces. */
  nonce: number | null
  /** Whether it pays a recipient of a spend of ours that it makes impossible. */
  pays?: boolean
}

/**
 * Records that a block has it; one that a reorg had undone has a block again, and may pay now whom
 * a spend is to pay that was signed meanwhile.
 */
export async function upsertForeign(
  tx: Tx,
  { block, ...foreign }: ForeignTransaction & { block: BlockRef },
): Promise<void> {
  await tx.run(sql`
    insert into foreign_transactions (
           chain_id, txn_hash, org_id, sender, nonce, pays, block_height, block_hash, found_at)
    values (${foreign.chainId}, ${foreign.txnHash}, ${foreign.orgId}, ${foreign.sender},
            ${foreign.nonce}, ${foreign.pays ?? false}, ${block.height}, ${block.hash},
            ${iso(tx.clock.now())}::timestamptz)
        on conflict (chain_id, txn_hash) do update
       set block_height = excluded.block_height,
           block_hash = excluded.block_hash,
           pays = foreign_transactions.pays or excluded.pays`)
}

/** Takes a block away from those that it had; answers with them. */
export async function clearForeign(
  tx: Tx,
  { chainId, block }: { chainId: ChainId; block: BlockRef },
): Promise<ForeignTransaction[]> {
  return tx.many(sql<ForeignTransaction>`
    update foreign_transactions
       set block_height = null,
           block_hash = null
     where chain_id = ${chainId}
       and block_height = ${block.height}
       and block_hash = ${block.hash}
    returning chain_id as "chainId", txn_hash as "txnHash", org_id as "orgId", sender, nonce`)
}

/**
 * Foreign transactions, included at or below a height, that took the nonce of a spend in state
 * `Sent`.
 */
export async function selectDisplacing(
  tx: Tx,
  { chainId, upTo, limit }: { chainId: ChainId; upTo: number; limit: number },
): Promise<ForeignTransaction[]> {
  return tx.many(sql<ForeignTransaction>`
    select f.chain_id as "chainId", f.txn_hash as "txnHash", f.org_id as "orgId", f.sender,
           f.nonce
      from foreign_transactions f
      join spends s
        on s.chain_id = f.chain_id
       and s.sender = f.sender
       and s.nonce = f.nonce
       and s.state = 'Sent'
     where f.chain_id = ${chainId}
       and f.block_height <= ${upTo}
     order by f.block_height
     limit ${limit}`)
}

/** The transactions among these that pay a recipient of a spend of ours. */
export async function selectPaying(
  tx: Tx,
  { chainId, hashes }: { chainId: ChainId; hashes: readonly string[] },
): Promise<string[]> {
  const rows = await tx.many(sql<{ txnHash: string }>`
    select txn_hash as "txnHash"
      from foreign_transactions
     where chain_id = ${chainId}
       and txn_hash = any(${hashes}::text[])
       and pays`)
  return rows.map(({ txnHash }) => txnHash)
}

/** Whether it is known to be in this block: as that of a spend, or as one that is not ours. */
export async function isInBlock(
  tx: Tx,
  { chainId, txnHash, block }: { chainId: ChainId; txnHash: string; block: BlockRef },
): Promise<boolean> {
  const { known } = await tx.one(sql<{ known: boolean }>`
    select exists (
           select
             from spends
            where chain_id = ${chainId}
              and block_height = ${block.height}
              and block_hash = ${block.hash}
              and state in ('Included', 'Settled')
              and txn_hash = ${txnHash})
        or exists (
           select
             from foreign_transactions
            where chain_id = ${chainId}
              and txn_hash = ${txnHash}
              and block_height = ${block.height}
              and block_hash = ${block.hash})
        as known`)
  return known
}

/**
 * Foreign transactions of a sender, by nonce. Leaves out one that a reorg removed and that counts
 * as our own: without nonces it may have changed places with another that pays the same.
 */
export async function selectForeign(
  tx: Tx,
  { chainId, sender }: { chainId: ChainId; sender: Address },
): Promise<{ txnHash: string; nonce: number | null; height: number | null }[]> {
  return tx.many(sql<{ txnHash: string; nonce: number | null; height: number | null }>`
    select f.txn_hash as "txnHash", f.nonce, f.block_height as height
      from foreign_transactions f
     where f.chain_id = ${chainId}
       and f.sender = ${sender}
       and (f.block_height is not null
            or not exists (
               select
                 from own_transactions o
                where o.chain_id = f.chain_id
                  and o.txn_hash = f.txn_hash))
     order by f.nonce`)
}
