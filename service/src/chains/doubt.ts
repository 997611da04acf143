import { Outage } from '../base/fault.ts'

/**
 * A node cannot decide about one payment, which its recipient may have caused. The node is not
 * excluded, other payments are not affected, and the next node is queried.
 */
export class Doubt extends Outage {}

/** The failure to throw for several: the first that is not a Doubt, or the first. */
export function worstError(failures: readonly unknown[]): unknown {
  return failures.find((one) => !(one instanceof Doubt)) ?? failures[0]
}
