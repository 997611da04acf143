import type { Hex } from '../hex.ts'
import type { Seeded } from '../seeded.ts'
import type { BlockNode } from './block-tree.ts'
import type { PendingTransaction } from './pending.ts'

/** A transaction that may go into the new blocks. */
export interface Returnable {
  hash: Hex
  /** The height at which it was; null for one that waits. */
  height: number | null
}

/** Places a transaction in the new block of that height, after earlier placements. */
export interface Placement {
  hash: Hex
  height: number
}

/**
 * Fate of the orphaned transactions: `none` are kept; each returns at its height; in another order
 * at random heights; or as the function places them, pending ones included: an orphaned one without
 * a place is dropped, a pending one stays pending.
 */
export type Keep = 'none' | 'same' | 'shuffled' | ((from: readonly Returnable[]) => Placement[])

export interface ReorgRequest {
  /** How many blocks are replaced */
  depth: number
  keep?: Keep
  /** How many blocks the new branch is longer */
  extra?: number
}

export interface ReorgPlaces {
  /** The transactions of each new block, lowest first. */
  blocks: PendingTransaction[][]
  waiting: PendingTransaction[]
}

interface Choices {
  keep: Keep
  orphaned: readonly BlockNode[]
  pending: readonly PendingTransaction[]
  /** Heights of the lowest and the highest new block */
  first: number
  last: number
}

/** Distributes the transactions over the new blocks. Throws if a function names an unknown one. */
export function placeTransactions(choices: Choices, random: Seeded): ReorgPlaces {
  const { orphaned, pending, first, last } = choices
  const known = new Map(pending.map((transaction) => [transaction.hash, transaction]))
  const orphans: Returnable[] = []
  for (const { height, transactions } of orphaned) {
    for (const { origin } of transactions) {
      known.set(origin.hash, origin)
      orphans.push({ hash: origin.hash, height })
    }
  }
  const blocks = Array.from({ length: last - first + 1 }, (): PendingTransaction[] => [])
  const placed = new Set<Hex>()
  for (const { hash, height } of placements(choices, orphans, random)) {
    const transaction = known.get(hash)
    const block = blocks[height - first]
    if (transaction === undefined) throw new Error(`no transaction ${hash} to put back`)
    if (block === undefined) throw new Error(`no new block at height ${height}`)
    block.push(transaction)
    placed.add(hash)
  }
  return { blocks, waiting: pending.filter(({ hash }) => !placed.has(hash)) }
}

function placements(
  { keep, pending, first, last }: Choices,
  orphans: readonly Returnable[],
  random: Seeded,
): Placement[] {
  if (typeof keep === 'function') {
    const waiting = pending.map(({ hash }): Returnable => ({ hash, height: null }))
    return keep([...orphans, ...waiting])
  }
  if (keep === 'none') return []
  if (keep === 'same') return orphans.map(({ hash, height }) => ({ hash, height: height ?? first }))
  const anywhere = () => first + random.int(last - first + 1)
  return random.shuffled(orphans).map(({ hash }) => ({ hash, height: anywhere() }))
}
