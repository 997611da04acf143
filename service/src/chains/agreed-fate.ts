import { nullIfAway } from '../base/fault.ts'
import type { Failover } from './failover.ts'
import type { Fate, Spent } from './port.ts'

/**
 * The fate of a spend. A final state (`ended`) counts only if no other node that answers disagrees:
 * a transaction that one node lacks another may have (N15).
 */
export async function agreedFate<N>(
  failover: Pick<Failover<N>, 'others' | 'proven'>,
  node: N,
  spent: Spent,
  { ended, ask }: { ended: Fate['state']; ask: (node: N, spent: Spent) => Promise<Fate> },
): Promise<Fate> {
  const fate = await ask(node, spent)
  if (fate.state !== ended) return fate
  for (const other of failover.others(node)) {
    const said = await askProven(other).catch(nullIfAway)
    if (said !== null && said.state !== ended) return said
  }
  return fate

  async function askProven(other: N): Promise<Fate> {
    return ask(await failover.proven(other), spent)
  }
}
