import type { Delegation } from '../../chains/port.ts'

/** Whether two transactions do the same with their sender's stake; neither is fine as well. */
export function sameDelegation(a: Delegation | undefined, b: Delegation | undefined): boolean {
  return a?.act === b?.act && a?.stake === b?.stake
}
