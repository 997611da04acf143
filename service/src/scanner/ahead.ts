import type { Block, BlockScope, ChainAdapter } from '../chains/port.ts'

/**
 * Blocks fetched ahead of the commits: a bounded number of requests under way at once, handed out
 * in order. What was fetched across a reorg does not chain and is dropped by the one who takes it.
 */
export class BlocksAhead {
  readonly #adapter: Pick<ChainAdapter, 'blockAt'>
  readonly #fetchMax: number
  readonly #underWay = new Map<number, Promise<Block | null>>()
  #isSlow = false

  constructor(adapter: Pick<ChainAdapter, 'blockAt'>, fetchMax: number) {
    this.#adapter = adapter
    this.#fetchMax = fetchMax
  }

  /**
   * Begins to fetch from a height up to another, as far as the bound allows; what is under way from
   * there on stays. What is under way elsewhere is left behind by a step that failed: it must not
   * take the place of the block that is wanted now.
   */
  start(given: { from: number; to: number; scope: BlockScope }): void {
    if (!this.#underWay.has(given.from)) this.drop()
    const atOnceMax = this.#isSlow ? 1 : this.#fetchMax
    for (let height = given.from; height <= given.to; height += 1) {
      if (this.#underWay.size >= atOnceMax) return
      if (this.#underWay.has(height)) continue
      const fetched = this.#adapter.blockAt({ height }, given.scope)
      // It may be awaited only later, or never: an early failure must not count as unhandled.
      fetched.catch(() => undefined)
      this.#underWay.set(height, fetched)
    }
  }

  /**
   * Begins with what comes after what was taken; not while slow, when one block after the other is
   * committed.
   */
  prepare(given: { from: number; to: number; scope: BlockScope }): void {
    if (!this.#isSlow) this.start(given)
  }

  /**
   * The blocks from a height on, in order, at most `max` and at most what is under way. Throws the
   * Outage of the first when that one failed; a later failure ends the run before it.
   */
  async take(from: number, max: number): Promise<(Block | null)[]> {
    const blocks: (Block | null)[] = []
    for (let height = from; blocks.length < max; height += 1) {
      const fetched = this.#underWay.get(height)
      if (fetched === undefined) break
      this.#underWay.delete(height)
      const block = blocks.length === 0 ? await fetched : await fetched.catch(() => this.slowDown())
      blocks.push(block)
      if (block === null) break
    }
    return blocks
  }

  /** Forgets everything, after a reorg. */
  drop(): void {
    this.#underWay.clear()
  }

  /**
   * Forgets everything, after an outage, and fetches one block at a time: a node that failed over
   * one block is left alone for a while, and then would not answer what is still to be asked about
   * the blocks below that one.
   */
  slowDown(): null {
    this.drop()
    this.#isSlow = true
    return null
  }

  /** Something was committed: many blocks at once again. */
  speedUp(): void {
    this.#isSlow = false
  }
}
