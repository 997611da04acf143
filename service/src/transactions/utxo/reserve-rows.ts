import type { ChainId } from '@sluice/wire'
import { type RawBuilder, sql } from 'kysely'
import { iso } from '../../base/clock.ts'
import type { Coin, CoinPoint } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import { lockedAt, pointTable } from './coin-rows.ts'

/** For which spend coins are reserved, and which they are. */
interface Reserving {
  chainId: ChainId
  spendId: string
  points: readonly CoinPoint[]
}

/** Reserves free coins; answers with how many of them were. */
export function reserveRows(tx: Tx, reserving: Reserving): Promise<number> {
  return reserveWhere(tx, reserving, sql`c.spent_height is null`)
}

/** Reserves what no spend has, be it there or not. */
export async function reserveAgain(
  tx: Tx,
  { orgId, ...reserving }: Reserving & { orgId: string },
): Promise<void> {
  await reserveWhere(tx, reserving, sql`c.org_id = ${orgId}`)
}

function reserveWhere(
  tx: Tx,
  { chainId, spendId, points }: Reserving,
  condition: RawBuilder<unknown>,
): Promise<number> {
  return tx.run(sql`
    update coins c
       set spend_id = ${spendId},
           updated_at = ${iso(tx.clock.now())}::timestamptz
      from ${lockedAt(chainId, points)}
     where c.chain_id = ${chainId}
       and c.txn_hash = l.txn_hash
       and c.vout = l.vout
       and c.spend_id is null
       and ${condition}`)
}

/**
 * Inserts the future change of our transaction, reserved; false if it exists and cannot be
 * reserved.
 */
export async function insertForeseen(
  tx: Tx,
  {
    orgId,
    chainId,
    spendId,
    coin,
  }: { orgId: string; chainId: ChainId; spendId: string; coin: Coin },
): Promise<boolean> {
  const now = iso(tx.clock.now())
  const changed = await tx.run(sql`
    insert into coins as c (
           org_id, chain_id, txn_hash, vout, address, amount, place, spendable, spend_id,
           created_at, updated_at)
    values (${orgId}, ${chainId}, ${coin.txnHash}, ${coin.vout}, ${coin.address}, ${coin.amount},
            'settlement', true, ${spendId}, ${now}::timestamptz, ${now}::timestamptz)
        on conflict (chain_id, txn_hash, vout) do update
       set spend_id = excluded.spend_id,
           updated_at = excluded.updated_at
     where c.spend_id is null
       and c.spent_height is null
       and c.org_id = excluded.org_id
       and c.address = excluded.address
       and c.amount = excluded.amount`)
  return changed === 1
}

/** Releases the coins of a spend, except `but`. */
export async function releaseCoins(
  tx: Tx,
  { orgId, spendId, but = [] }: { orgId: string; spendId: string; but?: readonly CoinPoint[] },
): Promise<void> {
  await tx.run(sql`
      with locked as (
        select c.chain_id, c.txn_hash, c.vout
          from coins c
         where c.org_id = ${orgId}
           and c.spend_id = ${spendId}
           and (c.txn_hash, c.vout) not in (
               select u.txn_hash, u.vout
                 from ${pointTable(but)})
         order by c.txn_hash, c.vout
           for update
      )
    update coins c
       set spend_id = null,
           updated_at = ${iso(tx.clock.now())}::timestamptz
      from locked l
     where c.chain_id = l.chain_id
       and c.txn_hash = l.txn_hash
       and c.vout = l.vout`)
}
