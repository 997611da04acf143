import type { ChainId } from '@sluice/wire'
import { type RawBuilder, sql } from 'kysely'
import type { Address, BlockRef, CoinPoint } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import { type CoinPlace, type OwnCoin, pointKey } from './coin.ts'

interface CoinRow {
  org_id: string
  chain_id: ChainId
  txn_hash: string
  vout: number
  address: Address
  amount: bigint
  place: CoinPlace
  block_height: number | null
  block_hash: string | null
  lost_height: number | null
  spendable: boolean
  spend_id: string | null
  spent_height: number | null
  spent_hash: string | null
  spent_by: string | null
}

const columns = sql`
           c.org_id, c.chain_id, c.txn_hash, c.vout, c.address, c.amount, c.place,
           c.block_height, c.block_hash, c.lost_height, c.spendable, c.spend_id, c.spent_height,
           c.spent_hash, c.spent_by`

/** Outpoints of one chain. */
interface Outpoints {
  chainId: ChainId
  points: readonly CoinPoint[]
}

/** Our coins among these outpoints, each once, ordered by outpoint; without a lock. */
export async function coinsAt(
  tx: Tx,
  { chainId, points }: Outpoints,
  lock = sql``,
): Promise<OwnCoin[]> {
  const rows = await tx.many(sql<CoinRow>`
    select ${columns}
      from coins c
      join ${pointTable(distinct(points))}
        on u.txn_hash = c.txn_hash
       and u.vout = c.vout
     where c.chain_id = ${chainId}
     order by c.txn_hash, c.vout
       ${lock}`)
  return rows.map(fromRow)
}

/** Locks our coins among these outpoints. */
export function lockCoins(tx: Tx, outpoints: Outpoints): Promise<OwnCoin[]> {
  return coinsAt(tx, outpoints, sql`for update of c`)
}

function distinct(points: readonly CoinPoint[]): CoinPoint[] {
  return [...new Map(points.map((point) => [pointKey(point), point])).values()]
}

const unreserved = ({ orgId, chainId }: { orgId: string; chainId: ChainId }) => sql`
           c.org_id = ${orgId}
       and c.chain_id = ${chainId}
       and c.spend_id is null
       and c.spent_height is null
       and c.block_height is not null`

const free = (whose: { orgId: string; chainId: ChainId }) => sql`
           ${unreserved(whose)}
       and c.spendable`

/** Spendable coins of an organization with at least this amount. */
interface FreeFilter {
  orgId: string
  chainId: ChainId
  least?: bigint
}

/** Fewer than 1,500 inputs fit into a transaction that nodes relay. */
const FREE_MAX = 2_000

/**
 * Coins that an organization may spend now: in a block of ours, credited or our own change, and not
 * reserved. They stay free while the sender's row is locked.
 */
export async function freeCoins(
  tx: Tx,
  filter: FreeFilter & { limit?: number; order?: 'largest' | 'smallest' },
): Promise<OwnCoin[]> {
  const { least = 0n, limit = FREE_MAX, order = 'largest' } = filter
  const way = order === 'largest' ? sql`desc` : sql`asc`
  const rows = await tx.many(sql<CoinRow>`
    select ${columns}
      from coins c
     where ${free(filter)}
       and c.amount >= ${least}
     order by c.amount ${way}, c.txn_hash ${way}, c.vout ${way}
     limit ${limit}`)
  return rows.map(fromRow)
}

/** Unreserved and unspent coins of an organization in our blocks, credited or not. */
export function unreservedCoins(
  tx: Tx,
  whose: { orgId: string; chainId: ChainId },
): Promise<OwnCoin[]> {
  return selectWhere(tx, unreserved(whose))
}

/** Number of coins that `freeCoins` would return without a limit. */
export async function countFreeCoins(tx: Tx, filter: FreeFilter): Promise<number> {
  const { total } = await tx.one(sql<{ total: number }>`
    select count(*)::integer as total
      from coins c
     where ${free(filter)}
       and c.amount >= ${filter.least ?? 0n}`)
  return total
}

/** Coins that are reserved for a spend, for any of its transactions. */
export function coinsOf(
  tx: Tx,
  { orgId, spendId }: { orgId: string; spendId: string },
): Promise<OwnCoin[]> {
  return selectWhere(
    tx,
    sql`c.org_id = ${orgId}
       and c.spend_id = ${spendId}`,
  )
}

/** Our coins that these transactions spend in our blocks. */
export function coinsSpentBy(
  tx: Tx,
  { chainId, hashes }: { chainId: ChainId; hashes: readonly string[] },
): Promise<OwnCoin[]> {
  return selectWhere(
    tx,
    sql`c.chain_id = ${chainId}
       and c.spent_by = any(${hashes}::text[])`,
  )
}

/** Unspent coins on these addresses in our blocks, reserved or not. */
export function unspentOn(
  tx: Tx,
  { chainId, addresses }: { chainId: ChainId; addresses: readonly Address[] },
): Promise<OwnCoin[]> {
  return selectWhere(
    tx,
    sql`c.chain_id = ${chainId}
       and c.address = any(${addresses}::text[])
       and c.spent_height is null
       and c.block_height is not null`,
  )
}

/** In the order of their keys. */
async function selectWhere(tx: Tx, condition: RawBuilder<unknown>): Promise<OwnCoin[]> {
  const rows = await tx.many(sql<CoinRow>`
    select ${columns}
      from coins c
     where ${condition}
     order by c.txn_hash, c.vout`)
  return rows.map(fromRow)
}

/** Outpoints as a table `u`. */
export function pointTable(points: readonly CoinPoint[]) {
  return sql`unnest(
           ${points.map(({ txnHash }) => txnHash)}::text[],
           ${points.map(({ vout }) => vout)}::integer[]) as u (txn_hash, vout)`
}

/** The keys of those that stand here as a table `l`, locked in their order. */
export function lockedAt(chainId: ChainId, points: readonly CoinPoint[]) {
  return sql`(
        select c.txn_hash, c.vout
          from coins c
          join ${pointTable(points)}
            on u.txn_hash = c.txn_hash
           and u.vout = c.vout
         where c.chain_id = ${chainId}
         order by c.txn_hash, c.vout
           for update of c) l`
}

function fromRow(row: CoinRow): OwnCoin {
  return {
    orgId: row.org_id,
    chainId: row.chain_id,
    txnHash: row.txn_hash,
    vout: row.vout,
    address: row.address,
    amount: row.amount,
    place: row.place,
    block: refOf(row.block_height, row.block_hash),
    lostHeight: row.lost_height,
    spendable: row.spendable,
    spendId: row.spend_id,
    spent: spentOf(row),
  }
}

function refOf(height: number | null, hash: string | null): BlockRef | null {
  return height === null || hash === null ? null : { height, hash }
}

function spentOf(row: CoinRow): OwnCoin['spent'] {
  const block = refOf(row.spent_height, row.spent_hash)
  return block === null || row.spent_by === null ? null : { ...block, txnHash: row.spent_by }
}
