import { Outage } from '../base/fault.ts'

/** The outcome of one call of a group. */
export type Outcome<T> = { value: T } | { refusal: unknown }

interface Waiting<Item, T> {
  item: Item
  resolve: (value: T) => void
  reject: (error: unknown) => void
}

/**
 * Groups calls into shared transactions. Calls that arrive while groups run form the next groups,
 * by key, in the order of arrival of the keys. A call joins only a group that starts later, so that
 * it sees earlier commits. A group that fails is repeated call by call, except after an outage.
 */
export class Grouping<Item, T> {
  readonly #work: (items: readonly Item[]) => Promise<Outcome<T>[]>
  readonly #groupsMax: number
  readonly #sizeMax: number
  readonly #waiting = new Map<string, Waiting<Item, T>[]>()
  readonly #busy = new Set<string>()
  #isScheduled = false

  /** `work` handles a group and returns an outcome for each item, in order. */
  constructor(
    work: (items: readonly Item[]) => Promise<Outcome<T>[]>,
    { groupsMax, sizeMax }: { groupsMax: number; sizeMax: number },
  ) {
    this.#work = work
    this.#groupsMax = groupsMax
    this.#sizeMax = sizeMax
  }

  /** Handles one call in a group of its key. */
  do(key: string, item: Item): Promise<T> {
    return new Promise((resolve, reject) => {
      const line = this.#waiting.get(key) ?? []
      line.push({ item, resolve, reject })
      this.#waiting.set(key, line)
      this.#schedule()
    })
  }

  /** Calls of one turn of the event loop are grouped. */
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
      // The rest of the queue waits after the other keys.
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
