import { setFlagsFromString } from 'node:v8'

/** By how much the heap may outgrow what is alive in it before it is collected, in per cent. */
const GROWTH_PERCENT = 50
/** What the engine does by itself: up to four times what is alive. */
const UNBOUND = 0

/** A heap that is kept near what it needs while anybody wants that. */
export class KeptHeap {
  readonly #grow: (percent: number) => void
  #wanted = 0

  constructor(grow: (percent: number) => void) {
    this.#grow = grow
  }

  /** From now on, until what it gives is called. Calling that again changes nothing. */
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
 * The heap of this process. Left alone, the engine lets the garbage of a long list pile up before
 * it looks: 100 MB for a list of which a megabyte is ever held (`npm run bench -- 10`). Kept so all
 * the time, a chain would be read with a quarter more work.
 */
export const ownHeap = new KeptHeap((percent) =>
  setFlagsFromString(`--heap-growing-percent=${percent}`),
)
