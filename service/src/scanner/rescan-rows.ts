import type { ChainId } from '@sluice/wire'
import { sql } from 'kysely'
import { iso } from '../base/clock.ts'
import type { Tx } from '../store/database.ts'

/** A range of blocks to be read again, and how far that has come. */
export interface Rescan {
  id: string
  chainId: ChainId
  from: number
  to: number
  /** The next height to read; past `to` when all are read. */
  next: number
  /** New deposits that the rescan found. */
  found: number
  state: 'waiting' | 'done' | 'failed'
  cause: string
}

interface RescanRow {
  id: string
  chain_id: ChainId
  from_height: number
  to_height: number
  next_height: number
  found: number
  state: Rescan['state']
  cause: string
}

function fromRow(row: RescanRow): Rescan {
  return {
    id: row.id,
    chainId: row.chain_id,
    from: row.from_height,
    to: row.to_height,
    next: row.next_height,
    found: row.found,
    state: row.state,
    cause: row.cause,
  }
}

export async function insertRescan(
  tx: Tx,
  given: { chainId: ChainId; from: number; to: number },
): Promise<Rescan> {
  const now = iso(tx.clock.now())
  const row = await tx.one(sql<RescanRow>`
    insert into rescans (
           id, chain_id, from_height, to_height, next_height, created_at, updated_at)
    values (${tx.ids.next()}, ${given.chainId}, ${given.from}, ${given.to}, ${given.from},
           ${now}, ${now})
    returning *`)
  return fromRow(row)
}

export async function selectRescan(tx: Tx, id: string): Promise<Rescan | null> {
  const row = await tx.maybe(sql<RescanRow>`
    select *
      from rescans
     where id = ${id}`)
  return row === null ? null : fromRow(row)
}

/** The oldest rescan of a chain that is not finished. */
export async function selectWaitingRescan(tx: Tx, chainId: ChainId): Promise<Rescan | null> {
  const row = await tx.maybe(sql<RescanRow>`
    select *
      from rescans
     where chain_id = ${chainId}
       and state = 'waiting'
     order by created_at, id
     limit 1`)
  return row === null ? null : fromRow(row)
}

/** Advances a rescan; false if it changed since it was read. */
export async function moveRescan(
  tx: Tx,
  given: { rescan: Rescan; next: number; found: number; state: Rescan['state']; cause: string },
): Promise<boolean> {
  const moved = await tx.run(sql`
    update rescans
       set next_height = ${given.next},
           found = found + ${given.found},
           state = ${given.state},
           cause = ${given.cause},
           updated_at = ${iso(tx.clock.now())}
     where id = ${given.rescan.id}
       and next_height = ${given.rescan.next}
       and state = 'waiting'`)
  return moved === 1
}
