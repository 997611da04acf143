/**
 * Connects the loops of one process: a loop that commits events rings, and those that listen look
 * at once for work. Only a hint: what other processes commit is found by regular polls.
 */
export interface Bell {
  ring(): void
  /** Calls a function at each ring. Returns a function that ends it. */
  answer(work: () => void): () => void
}

/** A bell without a listener. */
export function openBell(): Bell {
  const listeners = new Set<() => void>()
  return {
    ring: () => {
      for (const listener of listeners) listener()
    },
    answer: (work) => {
      listeners.add(work)
      return () => void listeners.delete(work)
    },
  }
}
