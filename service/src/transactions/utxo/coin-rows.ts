import type { ChainId } from '@sluice/wire'
import { type RawBuilder, sql } from 'kysely'
import type { Address, BlockRef, CoinPoint } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import type { CoinPlace, OwnCoin } from './coin.ts'

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

/** Those of these outputs that stand here, in the order of their keys; without a lock. */
export async function selectAt(
  tx: Tx,
  { chainId, points }: { chainId: ChainId; points: readonly CoinPoint[] },
  lock = sql``,
): Promise<OwnCoin[]> {
  const rows = await tx.many(sql<CoinRow>`
    select ${columns}
      from coins c
      join ${pointTable(points)}
        on u.txn_hash = c.txn_hash
       and u.vout = c.vout
     where c.chain_id = ${chainId}
     order by c.txn_hash, c.vout
       ${lock}`)
  return rows.map(fromRow)
}

/** Locks them until the transaction ends. */
export function lockAt(
  tx: Tx,
  given: { chainId: ChainId; points: readonly CoinPoint[] },
): Promise<OwnCoin[]> {
  return selectAt(tx, given, sql`for update of c`)
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

/** Free coins that hold so much at least. */
interface Least {
  orgId: string
  chainId: ChainId
  least: bigint
}

/** An organization's coins that may be spent, by what they hold. */
export async function selectFree(
  tx: Tx,
  given: Least & { limit: number; order: 'largest' | 'smallest' },
): Promise<OwnCoin[]> {
  const way = given.order === 'largest' ? sql`desc` : sql`asc`
  const rows = await tx.many(sql<CoinRow>`
    select ${columns}
      from coins c
     where ${free(given)}
       and c.amount >= ${given.least}
     order by c.amount ${way}, c.txn_hash ${way}, c.vout ${way}
     limit ${given.limit}`)
  return rows.map(fromRow)
}

/** An organization's coins in blocks that no payment of ours takes, held ones too. */
export function selectUnreserved(
  tx: Tx,
  whose: { orgId: string; chainId: ChainId },
): Promise<OwnCoin[]> {
  return selectWhere(tx, unreserved(whose))
}

/** How many may be spent. */
export async function countFree(tx: Tx, given: Least): Promise<number> {
  const { total } = await tx.one(sql<{ total: number }>`
    select count(*)::integer as total
      from coins c
     where ${free(given)}
       and c.amount >= ${given.least}`)
  return total
}

/** Those that are reserved for a spend. */
export function selectOfSpend(
  tx: Tx,
  { orgId, spendId }: { orgId: string; spendId: string },
): Promise<OwnCoin[]> {
  return selectWhere(
    tx,
    sql`c.org_id = ${orgId}
       and c.spend_id = ${spendId}`,
  )
}

/** Those that these transactions have spent in blocks of ours. */
export function selectSpentBy(
  tx: Tx,
  { chainId, hashes }: { chainId: ChainId; hashes: readonly string[] },
): Promise<OwnCoin[]> {
  return selectWhere(
    tx,
    sql`c.chain_id = ${chainId}
       and c.spent_by = any(${hashes}::text[])`,
  )
}

/** Unspent ones on these addresses, in blocks of ours. */
export function selectUnspentOn(
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
