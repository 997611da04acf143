import { moveTip, noteUndoing } from '../catalogue/chain-state.ts'
import type { BlockRef } from '../chains/port.ts'
import * as transfers from '../deposits/lookup-rows.ts'
import * as transactions from '../transactions/core/block-rows.ts'
import type { Tx } from '../store/database.ts'
import type { BlocksWanted } from '../store/highest-blocks.ts'
import { assertLease } from '../store/lease.ts'
import { undoBlocks } from './apply.ts'
import { type Place, beginAgain } from './reconcile.ts'
import { deleteBlock, insertBlocks } from './rows.ts'
import { NOBODY } from './scope.ts'
import type { Holder } from './watcher.ts'

/** Blocks compared for one commit, and undone in it, at most. */
const PLACES_MAX = 256

/**
 * Starts again below the last block kept, which was replaced. No rows show which blocks below were
 * ours, but every record keeps the hash of its block: records of replaced blocks are undone, and
 * blocks read twice are harmless. If there is more to undo than fits one commit, the tip stays, and
 * the next step continues. Returns false, without a change, if the node did not answer for a block.
 */
export async function rebase(holder: Holder, block: BlockRef): Promise<boolean> {
  const { adapter, database, entry, lease, crash } = holder
  const chainId = entry.id
  const places = await comparePlaces(holder, block)
  if (places === null) return false
  const { undo, from } = beginAgain({ block, places, isAll: places.length < PLACES_MAX })
  const theirs = from === null ? null : await adapter.blockAt(from, NOBODY)
  if (from !== null && theirs === null) return false
  crash?.('rebase.compared')
  await database.transaction(async (tx) => {
    await assertLease(tx, lease)
    await undoBlocks(tx, holder, undo)
    crash?.('rebase.undone')
    if (theirs === null) return noteUndoing(tx, chainId)
    await deleteBlock(tx, { chainId, block })
    await insertBlocks(tx, { chainId, blocks: [theirs] })
    await moveTip(tx, { chainId, from: block, to: theirs, tipTime: theirs.time })
    crash?.('rebase.moved')
  })
  crash?.('rebase.committed')
  const to = theirs?.height ?? null
  const found = { chainId, height: block.height, undone: undo.length, to }
  holder.log.warn(found, 'the last block kept was replaced, and what was seen under it compared')
  return true
}

/** Null if the node has no block of such a height. */
async function comparePlaces(
  { adapter, database, entry }: Holder,
  block: BlockRef,
): Promise<Place[] | null> {
  const given = { chainId: entry.id, upTo: block.height, limit: PLACES_MAX }
  const seen = await database.transaction((tx) => selectPlaces(tx, given))
  const places: Place[] = []
  for (const { height, hash } of seen) {
    const theirs = await adapter.hashAt(height)
    if (theirs === null) return null
    places.push({ height, hash, stands: theirs === hash })
  }
  return places
}

/** Highest blocks with records of ours, each once, highest first. */
async function selectPlaces(tx: Tx, given: BlocksWanted): Promise<BlockRef[]> {
  const found = [
    await transfers.selectBlocksUpTo(tx, given),
    await transactions.selectBlocksUpTo(tx, given),
  ].flat()
  return [...new Map(found.map((one) => [`${one.height} ${one.hash}`, one])).values()]
    .toSorted((one, other) => other.height - one.height)
    .slice(0, given.limit)
}
