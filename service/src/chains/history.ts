import { Outage, nullIfAway } from '../base/fault.ts'
import type { Failover } from './failover.ts'
import type { BlockRef } from './port.ts'

/** A node may be this far behind what it has said before it counts as one without history. */
const HISTORY_GAP_BLOCKS = 64

interface Named {
  readonly name: string
}

/**
 * A node that has later blocks but not this one has lost its history: waiting for it would be
 * waiting for ever.
 */
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

/** What tells which branch a node follows. */
interface BranchReads<N> {
  /** Of the block that it has at a height; null where it has none. */
  hashAt: (node: N, height: number) => Promise<string | null>
  headOf: (node: N) => Promise<BlockRef>
}

/** A node, and a block of its branch: at the height asked about or, where it has none, its head. */
interface Stand<N> {
  node: N
  at: BlockRef
}

/**
 * The first node that follows another branch than that of a block of ours: one that has another
 * block there or, where it has none there, another head than a node that has ours. So to be asked
 * about a block is to be asked about all below it: a branch that leaves ours under any of them has
 * another block at this height, or ends with another head below it. Nodes that are away, or merely
 * behind, have no say. An Outage where some are behind, or all away, and none that answers has our
 * block: nobody knows then whose branch they are on.
 */
export async function findDissenter<N extends Named>(
  failover: Failover<N>,
  ref: BlockRef,
  reads: BranchReads<N>,
): Promise<string | null> {
  return failover.use(async (asked) => {
    if (failover.isAlone) return null
    const nodes = [asked, ...failover.others(asked)]
    const answers = await Promise.all(
      nodes.map((node) => readStand(node, ref, reads).catch(nullIfAway)),
    )
    const stands = answers.filter((answer) => answer !== null)
    const there = stands.filter(({ at }) => at.height === ref.height)
    const other = there.find(({ at }) => at.hash !== ref.hash)
    if (other !== undefined) return other.node.name
    const elsewhere = stands.filter(({ at }) => at.height !== ref.height)
    const witness = there[0]?.node
    if (witness !== undefined) return findStray(elsewhere, (at) => reads.hashAt(witness, at))
    // Those whose heads are higher have let go of a block that is this old, which says nothing.
    if (stands.length > 0 && elsewhere.every(({ at }) => at.height > ref.height)) return null
    throw new Outage(failover.chainId, `nobody who answers has block ${ref.height}, which is ours`)
  })
}

async function readStand<N>(
  node: N,
  { height }: BlockRef,
  { hashAt, headOf }: BranchReads<N>,
): Promise<Stand<N>> {
  const hash = await hashAt(node, height)
  return { node, at: hash === null ? await headOf(node) : { height, hash } }
}

/** The first whose head is not what our branch has at its height, as far as that is known. */
async function findStray<N extends Named>(
  stands: readonly Stand<N>[],
  ourHashAt: (height: number) => Promise<string | null>,
): Promise<string | null> {
  for (const { node, at } of stands) {
    const hash = await ourHashAt(at.height)
    if (hash !== null && hash !== at.hash) return node.name
  }
  return null
}
