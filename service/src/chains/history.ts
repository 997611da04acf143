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

/** The first of these nodes that has another block there; those that are away have no say. */
export async function findDissenter<N extends Named>(
  others: readonly N[],
  ref: BlockRef,
  hashAt: (node: N, height: number) => Promise<string | null>,
): Promise<string | null> {
  const hashes = others.map(async (other) => {
    const hash = await hashAt(other, ref.height).catch(nullIfAway)
    return { name: other.name, hash: hash ?? ref.hash }
  })
  const found = (await Promise.all(hashes)).find(({ hash }) => hash !== ref.hash)
  return found?.name ?? null
}
