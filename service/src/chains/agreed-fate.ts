import { nullIfAway } from '../base/fault.ts'
import type { Fate, Spent } from './port.ts'

/**
 * What became of a spend, as a node says. That it can never be included any more (`ended`) is
 * believed only where no other node that answers says otherwise: what one lacks, another may have
 * (N15).
 */
export async function agreedFate<N>(
  [node, ...others]: readonly [N, ...N[]],
  spent: Spent,
  { ended, ask }: { ended: Fate['state']; ask: (node: N, spent: Spent) => Promise<Fate> },
): Promise<Fate> {
  const fate = await ask(node, spent)
  if (fate.state !== ended) return fate
  for (const other of others) {
    const said = await ask(other, spent).catch(nullIfAway)
    if (said !== null && said.state !== ended) return said
  }
  return fate
}
