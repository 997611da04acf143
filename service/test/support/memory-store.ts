import type { Entry, History, Store } from '@sluice/signer'

/** A store of a signer without a file. */
export class MemoryStore implements Store {
  readonly #history: History

  constructor(history: History) {
    this.#history = history
  }

  async catchUp(): Promise<void> {}

  async append(entries: readonly Entry[]): Promise<boolean> {
    for (const entry of entries) this.#history.apply(entry)
    return true
  }

  async close(): Promise<void> {}
}
