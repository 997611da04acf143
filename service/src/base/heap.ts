import { setFlagsFromString } from 'node:v8'

/** Growth of the heap beyond its live objects before it is collected, in percent. */
const GROWTH_PERCENT = 50
/** V8's default: up to four times the live objects. */
const UNBOUND = 0

/** Limits the growth of the heap while at least one caller needs that. */
export class KeptHeap {
  readonly #grow: (percent: number) => void
  #wanted = 0

  constructor(grow: (percent: number) => void) {
    this.#grow = grow
  }

  /** Limits the heap until the returned function is called. */
  keep(): () => void {
    this.#wanted += 1
    if (this.#wanted === 1) this.#grow(GROWTH_PERCENT)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#wanted -= 1
      if (this.#wanted === 0) this.#grow(UNBOUND)
    }
  }
}

/**
 * The heap of this process. By default V8 collects the garbage of a long list late: 100 MB for a
 * list of which 1 MB is live at a time (`npm run bench -- 10`). A permanent limit would make
 * scanning cost a quarter more.
 */
export const ownHeap = new KeptHeap((percent) =>
  setFlagsFromString(`--heap-growing-percent=${percent}`),
)
