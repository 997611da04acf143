import { Outage, nullIfAway } from '../base/fault.ts'
import type { Dissent, KnownDissent } from './chain-adapter.ts'
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
  /** Null where it is away. */
  at: BlockRef | null
}

/** What a node answers about our branch; `unclear` where it is away, or nobody can compare. */
type Answer = 'same' | 'other' | 'unclear'

/**
 * The nodes that follow another branch than that of a block of ours: those that have another block
 * there or, where they have none there, another head than a node that has ours. So to be asked
 * about a block is to be asked about all below it: a branch that leaves ours under any of them has
 * another block at this height, or ends with another head below it. Whether a node that ends below
 * still reads blocks is not asked: one that stopped at a block which left the chain stands against
 * ours until it goes on, or is taken out.
 *
 * Nodes that are away, or behind on our own branch, have no say. A node that is known to have
 * dissented keeps its say until it answers with our branch at the height since which it did: it is
 * asked even while it is set aside. An Outage where nobody dissents, some are behind or all away,
 * and none that answers has our block: nobody knows then whose branch they are on.
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
            // Nor is the node that was asked first to blame for it.
            throw error instanceof Outage ? unknown(failover, ref, error) : error
          })
    const dissent = await compare(stands, { ref, known, ourHashAt })
    if (dissent.opposed.length + dissent.silent.length > 0 || witness !== undefined) return dissent
    // Those whose heads are higher have let go of a block that is this old, which says nothing.
    const heads = stands.flatMap(({ at }) => at ?? [])
    if (heads.length > 0 && heads.every(({ height }) => height > ref.height)) return NOBODY
    throw unknown(failover, ref)
  })
}

/** The chain's own Outage: no node is to blame. */
function unknown({ chainId }: { chainId: string }, ref: BlockRef, cause?: Outage): Outage {
  const says = `nobody who answers has block ${ref.height}, which is ours`
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
    // What lies below the block where it left us, all branches share.
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
