import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import { assert } from '../../base/assert.ts'
import type { BlockRef, CoinPoint } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'

/** A transaction that brought us coins, and what it spends. */
export interface Origin {
  txnHash: string
  spends: readonly CoinPoint[]
}

/** Inserts the inputs of transactions; known ones are kept. */
export async function insertOrigins(
  tx: Tx,
  { chainId, origins }: { chainId: ChainId; origins: readonly Origin[] },
): Promise<void> {
  await tx.run(sql`
    insert into coin_origins (chain_id, txn_hash, spends)
    select ${chainId}, u.*
      from unnest(
           ${origins.map(({ txnHash }) => txnHash)}::text[],
           ${origins.map(({ spends }) => bytesOfPoints(spends))}::bytea[]) as u (txn_hash, spends)
     order by u.txn_hash
        on conflict (chain_id, txn_hash) do nothing`)
}

/**
 * Inputs of the transactions whose coins were lost while spends hold them, and that no block
 * conflicts with yet.
 */
export async function selectLostOrigins(tx: Tx, chainId: ChainId): Promise<Origin[]> {
  const rows = await tx.many(sql<{ txnHash: string; spends: Uint8Array }>`
    select o.txn_hash as "txnHash", o.spends
      from coin_origins o
     where o.chain_id = ${chainId}
       and o.taken_height is null
       and o.txn_hash in (
           select c.txn_hash
             from coins c
            where c.chain_id = ${chainId}
              and c.lost_height is not null
              and c.spend_id is not null)`)
  return rows.map(({ txnHash, spends }) => ({ txnHash, spends: pointsOfBytes(spends) }))
}

/** Writes down which transaction has taken something that another spends; the first stays. */
export async function takeRow(
  tx: Tx,
  row: { chainId: ChainId; txnHash: string; block: BlockRef; by: string },
): Promise<void> {
  await tx.run(sql`
    update coin_origins
       set taken_height = ${row.block.height},
           taken_hash = ${row.block.hash},
           taken_by = ${row.by}
     where chain_id = ${row.chainId}
       and txn_hash = ${row.txnHash}
       and taken_height is null`)
}

/** Removes the conflicts that a block had proved. */
export async function untakeRows(
  tx: Tx,
  { chainId, block }: { chainId: ChainId; block: BlockRef },
): Promise<void> {
  await tx.run(sql`
    update coin_origins
       set taken_height = null,
           taken_hash = null,
           taken_by = null
     where chain_id = ${chainId}
       and taken_height = ${block.height}
       and taken_hash = ${block.hash}`)
}

/** Coins of ours whose transactions can never follow one that this block has. */
export async function selectTakenIn(
  tx: Tx,
  { chainId, block }: { chainId: ChainId; block: BlockRef },
): Promise<CoinPoint[]> {
  return tx.many(sql<CoinPoint>`
    select c.txn_hash as "txnHash", c.vout
      from coin_origins o
      join coins c
        on c.chain_id = o.chain_id
       and c.txn_hash = o.txn_hash
     where o.chain_id = ${chainId}
       and o.taken_height = ${block.height}
       and o.taken_hash = ${block.hash}`)
}

/** Of these transactions, those of which something was taken at or below a height. */
export async function selectTakenUpTo(
  tx: Tx,
  query: { chainId: ChainId; hashes: readonly string[]; upTo: number },
): Promise<string[]> {
  const rows = await tx.many(sql<{ txnHash: string }>`
    select txn_hash as "txnHash"
      from coin_origins
     where chain_id = ${query.chainId}
       and txn_hash = any(${query.hashes}::text[])
       and taken_height <= ${query.upTo}`)
  return rows.map(({ txnHash }) => txnHash)
}

const HASH_BYTES = 32

const POINT_BYTES = HASH_BYTES + 4

/**
 * Inputs kept of one transaction: any of them proves a conflict, and attackers must not fill the
 * database.
 */
const POINTS_MAX = 1_000

/** Outpoints as bytes: the hash as it is written, and the number of the output (big-endian). */
function bytesOfPoints(points: readonly CoinPoint[]): Buffer {
  const kept = points.slice(0, POINTS_MAX)
  const bytes = Buffer.alloc(kept.length * POINT_BYTES)
  kept.forEach(({ txnHash, vout }, at) => {
    const written = bytes.write(txnHash, at * POINT_BYTES, HASH_BYTES, 'hex')
    assert(written === HASH_BYTES, 'hash is not 32 bytes', { txnHash })
    bytes.writeUInt32BE(vout, at * POINT_BYTES + HASH_BYTES)
  })
  return bytes
}

/** The outpoints that these bytes are. */
function pointsOfBytes(bytes: Uint8Array): CoinPoint[] {
  const all = Buffer.from(bytes)
  return Array.from({ length: all.length / POINT_BYTES }, (_, at) => {
    const from = at * POINT_BYTES
    return {
      txnHash: all.toString('hex', from, from + HASH_BYTES),
      vout: all.readUInt32BE(from + HASH_BYTES),
    }
  })
}
