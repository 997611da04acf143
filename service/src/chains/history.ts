import { Outage, nullIfAway } from '../base/fault.ts'
import type { Dissent, KnownDissent } from './chain-adapter.ts'
import type { Failover } from './failover.ts'
import type { BlockRef } from './port.ts'

/** A node may lag this far behind its reported head before its history counts as missing. */
const HISTORY_GAP_BLOCKS = 64

interface Named {
  readonly name: string
}

/** A node that has later blocks but not this one has lost its history; waiting does not help. */
export function nullUnlessGap<N extends Named>(
  failover: Failover<N>,
  node: N,
  height: number,
): null {
  const head = failover.seen(node)
  if (head === null || height + HISTORY_GAP_BLOCKS > head) return null
  throw new Outage(
    node.name,
    `history missing: it has no block ${height}, though its head is ${head}`,
  )
}

/** Reads that show which branch a node follows. */
interface BranchReads<N> {
  /** The hash of its block at a height; null if it has none. */
  hashAt: (node: N, height: number) => Promise<string | null>
  headOf: (node: N) => Promise<BlockRef>
}

/** A node and a block of its branch: at the height in question or, if it has none, its head. */
interface Stand<N> {
  node: N
  /** Null during an outage. */
  at: BlockRef | null
}

/** The branch of a node; `unclear` during an outage, or if no node can compare. */
type Answer = 'same' | 'other' | 'unclear'

/**
 * The nodes that follow another branch than a block of ours: they have another block at its height
 * or, if they have none, a head that differs from our block there. This covers all blocks below: a
 * branch that leaves ours under any of them has another block at this height, or another head below
 * it. A node that stopped at an orphaned block counts as opposed until it goes on or is removed.
 *
 * Nodes that do not answer, or lag on our branch, have no say. A node that dissented before has,
 * until it answers with our branch at the height at which it left: it is queried even while it is
 * excluded. An Outage if no node dissents and none that answers has our block.
 */
export async function findDissent<N extends Named>(
  failover: Failover<N>,
  { ref, known = new Map() }: { ref: BlockRef; known?: KnownDissent | undefined },
  reads: BranchReads<N>,
): Promise<Dissent> {
  const suspects = failover.all().filter(({ name }) => known.has(name))
  return failover.use(async (asked) => {
    if (failover.isAlone && suspects.length === 0) return NOBODY
    const nodes = new Set([asked, ...failover.others(asked), ...suspects])
    const stands = await Promise.all(
      [...nodes].map((node) => readStand(failover, node, ref, reads)),
    )
    const witness = stands.find(({ at }) => at?.height === ref.height && at.hash === ref.hash)
    const ourHashAt = async (height: number) =>
      height === ref.height || witness === undefined
        ? null
        : reads.hashAt(witness.node, height).catch((error: unknown) => {
            // The node that was queried first is not to blame either.
            throw error instanceof Outage ? unknown(failover, ref, error) : error
          })
    const dissent = await compare(stands, { ref, known, ourHashAt })
    if (dissent.opposed.length + dissent.silent.length > 0 || witness !== undefined) return dissent
    // Nodes with higher heads have pruned so old a block, which proves nothing.
    const heads = stands.flatMap(({ at }) => at ?? [])
    if (heads.length > 0 && heads.every(({ height }) => height > ref.height)) return NOBODY
    throw unknown(failover, ref)
  })
}

/** An Outage of the chain: no node is to blame. */
function unknown({ chainId }: { chainId: string }, ref: BlockRef, cause?: Outage): Outage {
  const says = `no node that answers has our block ${ref.height}`
  return new Outage(chainId, says, { cause })
}

const NOBODY: Dissent = { opposed: [], silent: [] }

async function readStand<N>(
  failover: Pick<Failover<N>, 'proven'>,
  node: N,
  { height }: BlockRef,
  { hashAt, headOf }: BranchReads<N>,
): Promise<Stand<N>> {
  const read = async () => {
    const hash = await hashAt(await failover.proven(node), height)
    return hash === null ? headOf(node) : { height, hash }
  }
  return { node, at: await read().catch(nullIfAway) }
}

async function compare<N extends Named>(
  stands: readonly Stand<N>[],
  {
    ref,
    known,
    ourHashAt,
  }: {
    ref: BlockRef
    known: KnownDissent
    ourHashAt: (height: number) => Promise<string | null>
  },
): Promise<Dissent> {
  const opposed = new Set<string>()
  const silent = new Set<string>()
  for (const { node, at } of stands) {
    const answer = await answerOf(at, ref, ourHashAt)
    if (answer === 'other') opposed.add(node.name)
    const since = known.get(node.name)
    if (since === undefined) continue
    // All branches share the blocks below the fork.
    const reaches = at !== null && at.height >= Math.min(since, ref.height)
    if (answer !== 'same' || !reaches) silent.add(node.name)
  }
  return { opposed: [...opposed], silent: [...silent].filter((name) => !opposed.has(name)) }
}

async function answerOf(
  at: BlockRef | null,
  ref: BlockRef,
  ourHashAt: (height: number) => Promise<string | null>,
): Promise<Answer> {
  if (at === null) return 'unclear'
  const ours = at.height === ref.height ? ref.hash : await ourHashAt(at.height)
  if (ours === null) return 'unclear'
  return at.hash === ours ? 'same' : 'other'
}
