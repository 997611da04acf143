import type { BlockRef } from '../chains/port.ts'

/** Blocks kept below the tip, and so the deepest reorg that is undone (engineering, 9). */
export const REORG_DEPTH_MAX = 256

export type Step =
  | { type: 'wait' }
  | { type: 'connect'; from: number; to: number }
  | { type: 'disconnect'; block: BlockRef }
  /**
   * The block that scanning began after was replaced. Whatever was paid to us has come since, but a
   * reorg may have put it into a block under the start: scanning begins again from `to`.
   */
  | { type: 'rebase'; block: BlockRef; to: number }
  | { type: 'halt'; cause: string }

/**
 * Decides the one step that brings our chain of blocks closer to the node's. `theirs` is what the
 * node has at our tip's height or, where its head is lower, at its head; null where it could not
 * say. A reorg is undone block by block, from the tip down to the block both have; what the chain
 * had called final never is, nor the last block we keep.
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
  if (tip.height <= given.startHeight) {
    return { type: 'rebase', block: tip, to: Math.max(0, given.startHeight - REORG_DEPTH_MAX) }
  }
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
