import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import { type Millis, iso } from '../base/clock.ts'
import type { Block, BlockRef } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'

/** A block of ours; loose: everything below it may be undone (`loosenLast`). */
export type KeptBlock = BlockRef & { isLoose: boolean }

/** Our newest blocks of a chain, lowest first. */
export async function selectBlocks(tx: Tx, chainId: ChainId): Promise<KeptBlock[]> {
  return tx.many(sql<KeptBlock>`
    select height, hash, parent_hash = '' as "isLoose"
      from blocks
     where chain_id = ${chainId}
     order by height`)
}

/** Parent of a stored block. */
export async function selectParent(
  tx: Tx,
  { chainId, block }: { chainId: ChainId; block: BlockRef },
): Promise<BlockRef & { time: number }> {
  return tx.one(sql<BlockRef & { time: number }>`
    select parent.height, parent.hash, parent.time
      from blocks child
      join blocks parent
        on parent.chain_id = child.chain_id
       and parent.height = child.height - 1
       and parent.hash = child.parent_hash
     where child.chain_id = ${chainId}
       and child.height = ${block.height}
       and child.hash = ${block.hash}`)
}

/** Time of our block at a height; null if it is not kept. */
export async function selectTime(
  tx: Tx,
  { chainId, height }: { chainId: ChainId; height: number },
): Promise<Millis | null> {
  const row = await tx.maybe(sql<{ time: Millis }>`
    select time
      from blocks
     where chain_id = ${chainId}
       and height = ${height}`)
  return row?.time ?? null
}

/** Our hash at a height; null if it is not kept. */
export async function selectHash(
  tx: Tx,
  { chainId, height }: { chainId: ChainId; height: number },
): Promise<string | null> {
  const row = await tx.maybe(sql<{ hash: string }>`
    select hash
      from blocks
     where chain_id = ${chainId}
       and height = ${height}`)
  return row?.hash ?? null
}

/** Our hashes at these heights, if they are kept. */
export async function selectHashes(
  tx: Tx,
  { chainId, heights }: { chainId: ChainId; heights: readonly number[] },
): Promise<Map<number, string>> {
  if (heights.length === 0) return new Map()
  const rows = await tx.many(sql<{ height: number; hash: string }>`
    select height, hash
      from blocks
     where chain_id = ${chainId}
       and height = any(${[...heights]}::bigint[])`)
  return new Map(rows.map(({ height, hash }) => [height, hash]))
}

export async function insertBlocks(
  tx: Tx,
  { chainId, blocks }: { chainId: ChainId; blocks: readonly Block[] },
): Promise<void> {
  await tx.run(sql`
    insert into blocks (chain_id, height, hash, parent_hash, time)
    select ${chainId}::text, u.*
      from unnest(
           ${blocks.map((block) => block.height)}::bigint[],
           ${blocks.map((block) => block.hash)}::text[],
           ${blocks.map((block) => block.parentHash)}::text[],
           ${blocks.map((block) => iso(block.time))}::timestamptz[]) as u`)
}

export async function deleteBlock(
  tx: Tx,
  { chainId, block }: { chainId: ChainId; block: BlockRef },
): Promise<number> {
  return tx.run(sql`
    delete from blocks
     where chain_id = ${chainId}
       and height = ${block.height}
       and hash = ${block.hash}`)
}

/**
 * Marks the last block kept, if it is the only one: if the chain replaced it, scanning starts again
 * below it. The mark applies to this block only.
 */
export async function loosenLast(tx: Tx, chainId: ChainId): Promise<void> {
  await tx.run(sql`
    update blocks last
       set parent_hash = ''
     where last.chain_id = ${chainId}
       and not exists (
           select
             from blocks other
            where other.chain_id = last.chain_id
              and other.height <> last.height)`)
}

/** Drops the blocks that are too deep to be undone. */
export async function forgetBelow(
  tx: Tx,
  { chainId, height }: { chainId: ChainId; height: number },
): Promise<void> {
  await tx.run(sql`
    delete from blocks
     where chain_id = ${chainId}
       and height < ${height}`)
}
