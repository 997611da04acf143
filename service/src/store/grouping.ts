import { Outage } from '../base/fault.ts'

/** What became of one call of a group: `refusal` is whatever its caller is to hear. */
export type Outcome<T> = { value: T } | { refusal: unknown }

interface Waiting<Item, T> {
  item: Item
  resolve: (value: T) => void
  reject: (error: unknown) => void
}

/**
 * Lets calls share a transaction: those that come while groups are under way make up the next ones,
 * by key, in the order in which keys began to wait. A call joins only a group that begins after it
 * came, so that it sees what was committed before. A group that fails as a whole is repeated call
 * by call, and each call hears of its own fault alone; an outage is everybody's.
 */
export class Grouping<Item, T> {
  readonly #work: (items: readonly Item[]) => Promise<Outcome<T>[]>
  readonly #groupsMax: number
  readonly #sizeMax: number
  readonly #waiting = new Map<string, Waiting<Item, T>[]>()
  readonly #busy = new Set<string>()
  #isScheduled = false

  /** `work` does one group: an outcome for each item, in their order. */
  constructor(
    work: (items: readonly Item[]) => Promise<Outcome<T>[]>,
    { groupsMax, sizeMax }: { groupsMax: number; sizeMax: number },
  ) {
    this.#work = work
    this.#groupsMax = groupsMax
    this.#sizeMax = sizeMax
  }

  /** Does one call in a group of its key. */
  do(key: string, item: Item): Promise<T> {
    return new Promise((resolve, reject) => {
      const line = this.#waiting.get(key) ?? []
      line.push({ item, resolve, reject })
      this.#waiting.set(key, line)
      this.#schedule()
    })
  }

  /** Calls of one turn of the event loop come together. */
  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#begin()
    })
  }

  #begin(): void {
    for (const [key, line] of this.#waiting) {
      if (this.#busy.size >= this.#groupsMax) return
      if (this.#busy.has(key)) continue
      const group = line.splice(0, this.#sizeMax)
      // What is left of the line waits behind the others.
      this.#waiting.delete(key)
      if (line.length > 0) this.#waiting.set(key, line)
      this.#busy.add(key)
      void this.#settle(group).finally(() => {
        this.#busy.delete(key)
        this.#schedule()
      })
    }
  }

  async #settle(group: readonly Waiting<Item, T>[]): Promise<void> {
    try {
      const outcomes = await this.#work(group.map(({ item }) => item))
      for (const [at, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[at]
        if (outcome !== undefined && 'value' in outcome) resolve(outcome.value)
        else reject(outcome?.refusal)
      }
    } catch (error) {
      if (group.length === 1 || error instanceof Outage)
        for (const { reject } of group) reject(error)
      else for (const one of group) await this.#settle([one])
    }
  }
}
