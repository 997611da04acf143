import type { ChainAdapter } from '../chains/chain-adapter.ts'
import type { Block, BlockRef, BlockScope } from '../chains/port.ts'
import type { Judged } from '../deposits/confirm.ts'
import { CONFIRM_BATCH_MAX } from '../deposits/due.ts'
import type { Witnessed } from '../deposits/confirm-immediately.ts'

/** Judging together is reduced below this number after an outage. */
const FEW = 64
/** Requests started together while others are under way. */
const BEGUN_TOGETHER = 4
/** Runs connected without judgement before judging is retried, at most. */
const UNJUDGED_MAX = 16

/** Blocks that chain onto a tip, and the transfers that they confirm. */
export interface NextRun {
  onto: BlockRef
  blocks: readonly Block[]
  judged: readonly Judged[]
  witnessed: Witnessed
}

/** A block that is requested or fetched. */
interface Fetched {
  block: Promise<Block | null>
  isThere: boolean
}

interface Range {
  from: number
  to: number
  scope: BlockScope
}

/**
 * Blocks fetched ahead of the commits, with bounded concurrency and a bounded number of blocks, in
 * order. Blocks fetched across a reorg do not chain, and the caller drops them.
 */
export class BlocksAhead {
  readonly #adapter: Pick<ChainAdapter, 'blockAt'>
  readonly #fetchMax: number
  readonly #keepMax: number
  readonly #blocks = new Map<number, Fetched>()
  #wanted: Range | null = null
  /** The lowest height that was not begun yet. */
  #next = 0
  #isSlow = false
  #judgeMax = CONFIRM_BATCH_MAX
  /** Runs that are still connected unjudged. */
  #unjudged = 0
  /** Runs that would be after one more failure; null while none failed. */
  #putOff: number | null = null
  #ready: NextRun | null = null

  constructor(adapter: Pick<ChainAdapter, 'blockAt'>, fetchMax: number, keepMax = fetchMax) {
    this.#adapter = adapter
    this.#fetchMax = fetchMax
    this.#keepMax = keepMax
  }

  /**
   * Fetches from a height up to another, and continues as blocks arrive, within the bounds; keeps
   * blocks from that height on. Drops the others, which a failed step left behind: they must not
   * take the place of the wanted block.
   */
  start(range: Range): void {
    if (!this.#blocks.has(range.from)) {
      this.drop()
      this.#next = range.from
    }
    this.#wanted = range
    this.#fetch()
  }

  /**
   * Begins with what comes after what was taken; not while slow, when one block after the other is
   * committed.
   */
  prepare(given: Range): void {
    if (!this.#isSlow) this.start(given)
  }

  /**
   * The blocks from a height on, in order, at most `max` and none above what was started; places
   * that they leave are filled meanwhile. Throws the Outage of the first when that one failed; a
   * later failure ends the run before it.
   */
  async take(from: number, max: number): Promise<(Block | null)[]> {
    const taken: (Block | null)[] = []
    for (let height = from; taken.length < max; height += 1) {
      const fetched = this.#blocks.get(height)
      if (fetched === undefined) break
      const found = await this.#wait(fetched.block, taken.length === 0).finally(() =>
        this.#blocks.delete(height),
      )
      taken.push(found)
      if (found === null) break
      if (!this.#isSlow) this.#fetch()
    }
    return taken
  }

  /** Keeps a run that is fetched and judged, for the next step only. */
  keep(run: NextRun): void {
    this.#ready = run
  }

  /** Returns the kept run once, if it starts at this tip. */
  ready({ height, hash }: BlockRef): NextRun | null {
    const run = this.#ready
    this.#ready = null
    return run?.onto.height === height && run.onto.hash === hash ? run : null
  }

  /** Forgets everything, after a reorg. */
  drop(): void {
    this.#ready = null
    this.#blocks.clear()
    this.#wanted = null
  }

  /**
   * Drops everything after an outage, and fetches one block at a time: a node that failed over one
   * block is paused, and would not answer queries about the blocks below it.
   */
  slowDown(): null {
    this.drop()
    this.#isSlow = true
    this.#judgeFewer()
    return null
  }

  /**
   * What was due could not be judged for a run. The next run asks again, for less; then ever fewer
   * of them do, since each question that fails may set aside the node that blocks come from.
   */
  putOffJudging(): void {
    this.#judgeFewer()
    this.#unjudged = this.#putOff ?? 0
    this.#putOff = Math.min(UNJUDGED_MAX, Math.max(1, 2 * this.#unjudged))
  }

  /** Whether the next run is to be judged; counts those that are not. */
  judgesNext(): boolean {
    if (this.#unjudged === 0) return true
    this.#unjudged -= 1
    return false
  }

  /** Whether blocks are fetched one at a time. */
  get isSlow(): boolean {
    return this.#isSlow
  }

  /**
   * How many deposits are judged for one commit. Each asks the node for something, and one answer
   * that fails stops the step: few after one that was stopped, or whose next block could not be
   * had, half as many after each further one, and twice as many after each that was not.
   */
  get judgeMax(): number {
    return this.#judgeMax
  }

  /** Whether a step sends only a part of its queries. */
  get isPartial(): boolean {
    return this.#isSlow || this.#putOff !== null
  }

  /** Judged transfers are committed: many blocks and deposits at once again. */
  speedUp(): void {
    this.blocksCame()
    this.#unjudged = 0
    this.#putOff = null
    this.#judgeMax = Math.min(CONFIRM_BATCH_MAX, 2 * this.#judgeMax)
  }

  /** Blocks were committed unjudged: many blocks at once again. */
  blocksCame(): void {
    this.#isSlow = false
  }

  #judgeFewer(): void {
    this.#judgeMax = Math.max(1, Math.floor(Math.min(this.#judgeMax, FEW) / 2))
  }

  #wait(block: Promise<Block | null>, isFirst: boolean): Promise<Block | null> {
    return isFirst ? block : block.catch(() => this.slowDown())
  }

  #fetch(): void {
    if (this.#wanted === null) return
    const { to, scope } = this.#wanted
    const [atOnceMax, keepMax] = this.#isSlow ? [1, 1] : [this.#fetchMax, this.#keepMax]
    let underWay = 0
    for (const { isThere } of this.#blocks.values()) if (!isThere) underWay += 1
    const left = to - this.#next + 1
    const room = Math.min(left, atOnceMax - underWay, keepMax - this.#blocks.size)
    // Requests of one turn can share one exchange, with two others under way.
    const together = Math.min(BEGUN_TOGETHER, Math.floor(atOnceMax / 3))
    if (underWay > 0 && room < Math.min(left, together)) return
    for (let begun = 0; begun < room; begun += 1) {
      this.#begin(this.#next, scope)
      this.#next += 1
    }
  }

  #begin(height: number, scope: BlockScope): void {
    const block = this.#adapter.blockAt({ height }, scope)
    const fetched = { block, isThere: false }
    this.#blocks.set(height, fetched)
    const arrive = () => {
      fetched.isThere = true
      if (this.#blocks.get(height) === fetched) this.#fetch()
    }
    // It may be awaited only later, or never: an early failure must not count as unhandled.
    block.then(arrive, () => (fetched.isThere = true))
  }
}
