import type { BlockQuery, BlockRef } from '../chains/port.ts'

/** Blocks kept below the tip, and so the deepest reorg that is undone (engineering, 9). */
export const REORG_DEPTH_MAX = 256

export type Step =
  | { type: 'wait' }
  | { type: 'connect'; from: number; to: number }
  | { type: 'disconnect'; block: BlockRef }
  /**
   * The last block kept was replaced, and scanning begins again under it (`beginAgain`): where it
   * had begun, since a reorg may have put what was paid to us into a block under the start; deeper
   * than what is kept, where an operator says so.
   */
  | { type: 'rebase'; block: BlockRef }
  | { type: 'halt'; cause: string }

/**
 * Decides the one step that brings our chain of blocks closer to the node's. `theirs` is what the
 * node has at our tip's height or, where its head is lower, at its head; null where it could not
 * say. A reorg is undone block by block, from the tip down to the block both have; what the chain
 * had called final never is, nor the last block we keep, unless scanning began there or an operator
 * has resumed the chain since it was halted there.
 */
export function nextStep(given: {
  /** Our newest blocks, lowest first; the last is the tip. */
  ours: readonly BlockRef[]
  theirs: BlockRef | null
  head: number
  /** The highest block known to be final with our hash; null where none is. */
  final: BlockRef | null
  /** What the node now calls final. */
  theirFinal: BlockRef | null
  startHeight: number
  /** Whether an operator has resumed the chain at the last block kept (`loosenLast`). */
  isLoose: boolean
}): Step {
  const { ours, theirs, final } = given
  const tip = ours.at(-1)
  const standing = ours.find((block) => block.height === theirs?.height)
  // A node below everything we keep is syncing; it says nothing about our chain.
  if (tip === undefined || theirs === null || standing === undefined) return { type: 'wait' }
  if (final !== null && contradicts(ours, final, given.theirFinal)) {
    return { type: 'halt', cause: `block ${given.theirFinal?.height} was final and is another now` }
  }
  if (standing.hash === theirs.hash) {
    if (given.head <= tip.height) return { type: 'wait' }
    return { type: 'connect', from: tip.height + 1, to: given.head }
  }
  if (final !== null && tip.height <= final.height) {
    return { type: 'halt', cause: `block ${tip.height} was final and left the node's chain` }
  }
  if (ours.length > 1) return { type: 'disconnect', block: tip }
  if (given.isLoose || tip.height <= given.startHeight) return { type: 'rebase', block: tip }
  return { type: 'halt', cause: `a reorg goes deeper than the ${REORG_DEPTH_MAX} blocks kept` }
}

/**
 * Whether the node calls a block final that is not ours, at a height that was final with our hash.
 */
function contradicts(
  ours: readonly BlockRef[],
  final: BlockRef,
  theirFinal: BlockRef | null,
): boolean {
  if (theirFinal === null || theirFinal.height > final.height) return false
  const standing = ours.find((block) => block.height === theirFinal.height)
  return standing !== undefined && standing.hash !== theirFinal.hash
}

/** A block in which something of ours was seen, and whether the chain has it still. */
export type Place = BlockRef & { stands: boolean }

/**
 * Decides what is undone, and after which block scanning begins again, where the last block kept
 * was replaced. `places` are the highest blocks up to it in which something of ours was seen. What
 * stands proves all that is under it: so scanning begins after the highest of them that lies under
 * all that were replaced, and at most `REORG_DEPTH_MAX` under these. What is above is undone, even
 * what stands: until it is read again it may be replaced as well. `from` is null while there may be
 * more to undo under the places given.
 */
export function beginAgain(given: {
  /** The last block kept. */
  block: BlockRef
  /** Highest first. */
  places: readonly Place[]
  /** Whether there are no others. */
  isAll: boolean
}): { undo: readonly BlockRef[]; from: BlockQuery | null } {
  const { block, places, isAll } = given
  const lowest = places.findLast(({ stands }) => !stands)?.height ?? block.height
  const standing = places.find(({ height, stands }) => stands && height < lowest)
  if (standing === undefined && !isAll) return { undo: places, from: null }
  const deepest = Math.max(0, lowest - REORG_DEPTH_MAX)
  const isNear = standing !== undefined && standing.height >= deepest
  const to = isNear ? standing.height : deepest
  return {
    undo: places.filter(({ height, stands }) => !stands || height > to),
    from: isNear ? { hash: standing.hash } : { height: to },
  }
}

/**
 * The longest run of fetched blocks that chains onto a tip, each onto its parent. What does not
 * chain was read across a reorg and is fetched again.
 */
export function chainedRun<B extends BlockRef & { parentHash: string }>(
  tip: BlockRef,
  blocks: readonly (B | null)[],
): B[] {
  const run: B[] = []
  let last: BlockRef = tip
  for (const block of blocks) {
    if (block === null) break
    if (block.height !== last.height + 1 || block.parentHash !== last.hash) break
    run.push(block)
    last = block
  }
  return run
}

/**
 * What counts as final for us: the chain's final block as far as it lies on our own chain of
 * blocks. Its hash must be ours; where the chain's final block is above our tip, the tip itself is,
 * since the caller has just seen the node hold our hash there. Below the blocks we keep there is
 * nothing to compare, and nothing of ours that would be final by it; but that the chain names a
 * final block at all is known, so that nobody counts depth in its stead.
 */
export function ourFinal(given: {
  ours: readonly BlockRef[]
  final: BlockRef | null
}): BlockRef | null {
  const { ours, final } = given
  const tip = ours.at(-1)
  if (final === null || tip === undefined) return null
  if (final.height >= tip.height) {
    const same = final.height > tip.height || final.hash === tip.hash
    return same ? tip : null
  }
  const standing = ours.find((block) => block.height === final.height)
  if (standing === undefined) return final
  return standing.hash === final.hash ? standing : null
}
