import type { BlockQuery, BlockRef } from '../chains/port.ts'

/** Blocks kept below the tip: the deepest reorg that can be undone (engineering, 9). */
export const REORG_DEPTH_MAX = 256

export type Step =
  | { type: 'wait' }
  | { type: 'connect'; from: number; to: number }
  | { type: 'disconnect'; block: BlockRef }
  /**
   * The last block kept was replaced, and scanning starts again below it (`beginAgain`): at the
   * start of the scan, because a reorg may have moved a payment below it; deeper, if an operator
   * has resumed the chain.
   */
  | { type: 'rebase'; block: BlockRef }
  | { type: 'halt'; cause: string }

/**
 * Decides the one step that brings our chain of blocks closer to that of the node. `theirs` is the
 * block of the node at the height of our tip, or its head if that is lower; null if it did not
 * answer. A reorg is undone block by block, from the tip down to the common block. A final block is
 * never undone. The last block kept is undone only if scanning began there, or if an operator has
 * resumed the chain since it halted there.
 */
export function nextStep(given: {
  /** Our newest blocks, lowest first; the last is the tip. */
  ours: readonly BlockRef[]
  theirs: BlockRef | null
  head: number
  /** Highest block known to be final with our hash; null if unknown. */
  final: BlockRef | null
  /** Final block of the node now. */
  theirFinal: BlockRef | null
  startHeight: number
  /** Whether an operator has resumed the chain at the last block kept (`loosenLast`). */
  isLoose: boolean
}): Step {
  const { ours, theirs, final } = given
  const tip = ours.at(-1)
  const standing = ours.find((block) => block.height === theirs?.height)
  // A node below all blocks kept is syncing and proves nothing.
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

/** Whether the final block of the node differs from ours at a height that was final. */
function contradicts(
  ours: readonly BlockRef[],
  final: BlockRef,
  theirFinal: BlockRef | null,
): boolean {
  if (theirFinal === null || theirFinal.height > final.height) return false
  const standing = ours.find((block) => block.height === theirFinal.height)
  return standing !== undefined && standing.hash !== theirFinal.hash
}

/** A block with records of ours, and whether the chain still has it. */
export type Place = BlockRef & { stands: boolean }

/**
 * Decides what is undone, and after which block scanning starts again, when the last block kept was
 * replaced. `places` are the highest blocks up to it with records of ours. A block that the chain
 * still has proves all blocks below it. Scanning starts after the highest such block below all
 * replaced ones, at most `REORG_DEPTH_MAX` below them. Everything above is undone, even in blocks
 * that the chain has: they may be replaced until they are read again. `from` is null while blocks
 * below the given ones may have to be undone.
 */
export function beginAgain(given: {
  /** The last block kept. */
  block: BlockRef
  /** Highest first. */
  places: readonly Place[]
  /** Whether these are all. */
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
 * Longest run of fetched blocks that chains onto a tip, each onto its parent. The rest was read
 * across a reorg and is fetched again.
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
 * Final block of the chain, if it is one of ours. Above our tip the tip itself is final, because
 * the node has just confirmed our hash there. Below the blocks kept the hash cannot be compared,
 * but the height shows that the chain reports final blocks, so depth is not used instead.
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
