import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import { iso } from '../../base/clock.ts'
import type { BlockRef, CoinPoint } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import { lockedAt } from './coin-rows.ts'
import type { OwnCoin } from './coin.ts'

/** Inserts coins with their block, or sets the block of a known coin without one. */
export async function gainRows(
  tx: Tx,
  coins: readonly Omit<OwnCoin, 'spendId' | 'spent' | 'lostHeight'>[],
): Promise<void> {
  const now = iso(tx.clock.now())
  await tx.run(sql`
    insert into coins as c (
           org_id, chain_id, txn_hash, vout, address, amount, place, block_height, block_hash,
           spendable, created_at, updated_at)
    select u.*, ${now}::timestamptz, ${now}::timestamptz
      from unnest(
           ${coins.map(({ orgId }) => orgId)}::uuid[],
           ${coins.map(({ chainId }) => chainId)}::text[],
           ${coins.map(({ txnHash }) => txnHash)}::text[],
           ${coins.map(({ vout }) => vout)}::integer[],
           ${coins.map(({ address }) => address)}::text[],
           ${coins.map(({ amount }) => amount)}::numeric[],
           ${coins.map(({ place }) => place)}::text[],
           ${coins.map(({ block }) => block?.height ?? null)}::bigint[],
           ${coins.map(({ block }) => block?.hash ?? null)}::text[],
           ${coins.map(({ spendable }) => spendable)}::boolean[])
           as u (org_id, chain_id, txn_hash, vout, address, amount, place, block_height,
                 block_hash, spendable)
     order by u.txn_hash, u.vout
        on conflict (chain_id, txn_hash, vout) do update
       set block_height = excluded.block_height,
           block_hash = excluded.block_hash,
           lost_height = null,
           spendable = excluded.spendable,
           updated_at = excluded.updated_at
     where c.block_height is null`)
}

/** A coin and who has spent it, in which block. */
export type SpentCoin = CoinPoint & { spent: NonNullable<OwnCoin['spent']> }

/** Marks coins as spent. */
export async function spendRows(
  tx: Tx,
  { chainId, coins }: { chainId: ChainId; coins: readonly SpentCoin[] },
): Promise<void> {
  await tx.run(sql`
      with locked as (
        select c.txn_hash, c.vout, u.height, u.hash, u.by
          from coins c
          join unnest(
               ${coins.map(({ txnHash }) => txnHash)}::text[],
               ${coins.map(({ vout }) => vout)}::integer[],
               ${coins.map(({ spent }) => spent.height)}::bigint[],
               ${coins.map(({ spent }) => spent.hash)}::text[],
               ${coins.map(({ spent }) => spent.txnHash)}::text[])
               as u (txn_hash, vout, height, hash, by)
            on u.txn_hash = c.txn_hash
           and u.vout = c.vout
         where c.chain_id = ${chainId}
         order by c.txn_hash, c.vout
           for update of c
      )
    update coins c
       set spent_height = l.height,
           spent_hash = l.hash,
           spent_by = l.by,
           updated_at = ${iso(tx.clock.now())}::timestamptz
      from locked l
     where c.chain_id = ${chainId}
       and c.txn_hash = l.txn_hash
       and c.vout = l.vout`)
}

/** Marks coins that a block spent as unspent. */
export async function unspendRows(
  tx: Tx,
  { chainId, block }: { chainId: ChainId; block: BlockRef },
): Promise<void> {
  await tx.run(sql`
    update coins
       set spent_height = null,
           spent_hash = null,
           spent_by = null,
           updated_at = ${iso(tx.clock.now())}::timestamptz
     where chain_id = ${chainId}
       and spent_height = ${block.height}
       and spent_hash = ${block.hash}`)
}

/** Removes the block from coins that it brought, and records its height. */
export async function loseRows(
  tx: Tx,
  { chainId, block }: { chainId: ChainId; block: BlockRef },
): Promise<void> {
  await tx.run(sql`
    update coins
       set block_height = null,
           block_hash = null,
           lost_height = ${block.height},
           spendable = false,
           updated_at = ${iso(tx.clock.now())}::timestamptz
     where chain_id = ${chainId}
       and block_height = ${block.height}
       and block_hash = ${block.hash}`)
}

/** Lets coins from outside be spent. */
export async function creditRows(
  tx: Tx,
  { chainId, points }: { chainId: ChainId; points: readonly CoinPoint[] },
): Promise<number> {
  return tx.run(sql`
    update coins c
       set spendable = true,
           updated_at = ${iso(tx.clock.now())}::timestamptz
      from ${lockedAt(chainId, points)}
     where c.chain_id = ${chainId}
       and c.txn_hash = l.txn_hash
       and c.vout = l.vout
       and c.block_height is not null`)
}
