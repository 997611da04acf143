/** How many approvals a withdrawal needs, and how many of them must come from people. */
export interface Thresholds {
  signers: number
  humans: number
}

/** How many others must approve a new withdrawal, by its initiator. */
export interface Others {
  ofPerson: number
  ofApiKey: number
}

/** How many approvals must come from people unless a number is set: the rule of the service. */
export function defaultHumans(signers: number, signersMax: number): number {
  return signers === 1 ? 0 : Math.min(signers, signersMax)
}

/**
 * How many others must approve a withdrawal. The creation by its initiator is the first
 * approval. An API key's counts, but not as that of a person.
 */
export function othersNeeded({ signers, humans }: Thresholds): Others {
  return {
    ofPerson: Math.max(signers - 1, humans - 1, 0),
    ofApiKey: Math.max(signers - 1, humans, 0),
  }
}
