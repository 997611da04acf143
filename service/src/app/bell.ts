/**
 * Connects the loops of one process: a loop that commits events rings, and the deliverer polls the
 * outbox at once. Only a hint: events of other processes are found by regular polls.
 */
export interface Bell {
  ring(): void
  /** Sets the function to call at each ring, replacing the previous one. */
  answer(work: () => void): void
}

/** A bell without a listener. */
export function openBell(): Bell {
  let work = () => {}
  return {
    ring: () => work(),
    answer: (callback) => {
      work = callback
    },
  }
}
