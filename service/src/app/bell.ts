/**
 * Between the loops of one process: whoever has committed events rings, and the deliverer looks at
 * the outbox at once. Only a hint: what other processes commit is found by looking now and again.
 */
export interface Bell {
  ring(): void
  /** From now on this is called at each ring, instead of what was called before. */
  answer(work: () => void): void
}

/** A bell that nobody answers yet. */
export function openBell(): Bell {
  let work = () => {}
  return {
    ring: () => work(),
    answer: (given) => {
      work = given
    },
  }
}
