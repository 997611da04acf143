import { assert } from '../base/assert.ts'

/** What a reorg does to a record of money that came in. */
interface Arrived {
  id: string
  status: string
  block: { hash: string }
}

/**
 * Of the records that were seen and stood already: orphans return with their new block; a live one
 * must be in this very block. `lock` gives the standing records of an identity, `revive` the one
 * that returns.
 */
export async function reviveOrphans<T extends Arrived>(given: {
  /** What one is called where something is wrong with it. */
  noun: 'deposit' | 'funding'
  seen: readonly T[]
  /** Those of them that did not stand. */
  fresh: readonly T[]
  identityOf: (record: T) => string
  lock: (records: readonly T[]) => Promise<readonly T[]>
  revive: (id: string, seen: T) => Promise<T>
}): Promise<T[]> {
  const { noun, identityOf, seen, fresh } = given
  const inserted = new Set(fresh.map(identityOf))
  const known = new Map(seen.map((one) => [identityOf(one), one]))
  for (const identity of inserted) known.delete(identity)
  if (known.size === 0) return []
  const returned: T[] = []
  for (const standing of await given.lock([...known.values()])) {
    const again = known.get(identityOf(standing))
    assert(again, `a locked ${noun} that was not asked for`, { id: standing.id })
    if (standing.status === 'Orphaned') {
      returned.push(await given.revive(standing.id, again))
    } else {
      const sameBlock = standing.block.hash === again.block.hash
      assert(sameBlock, `one ${noun} live in two blocks`, { standing, again: again.block })
    }
  }
  return returned
}
