import { Outage } from '../base/fault.ts'

/**
 * A node answers other questions of the kind, and of one payment says what is neither yes nor no.
 * Whoever is paid may have brought that about. So it says nothing of the node, which is not set
 * aside, nor of any other payment; the next node is asked.
 */
export class Doubt extends Outage {}

/** Which of several failures is thrown for all: one that is no Doubt, where there is such a one. */
export function gravestOf(failures: readonly unknown[]): unknown {
  return failures.find((one) => !(one instanceof Doubt)) ?? failures[0]
}
