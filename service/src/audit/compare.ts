import type { Auditor } from './auditor.ts'
import { compareCoins } from './compare-coins.ts'
import { compareSettled } from './compare-settled.ts'
import { type Question, readExpectations } from './expectations.ts'
import type { Compared } from './finding.ts'

/** Questions to a node under way at once. */
const QUESTIONS_MAX = 8

/**
 * Compares the ledger with the chain on these addresses, at our tip or, if the nodes of the family
 * answer for no block that is named, at their final block. What the node cannot answer at that
 * block is handed back, uncompared. Where payments spend coins, these are compared one by one.
 */
export async function compareAddresses(auditor: Auditor, given: Question): Promise<Compared> {
  if (given.addresses.length === 0) return { tip: null, comparisons: [], left: [] }
  if (auditor.entry.paymentModel === 'utxo') return compareCoins(auditor, given)
  const { adapter } = auditor
  if (adapter.balancesAt === 'final-block') return compareSettled({ ...auditor, adapter }, given)
  const { tip, expectations } = await readExpectations(auditor, given)
  if (tip === null) return { tip, comparisons: [], left: expectations }
  const compared: Compared = { tip, comparisons: [], left: [] }
  // In their order, which says what matters most where a node answers for a moment alone.
  const questions = expectations.values()
  const ask = async () => {
    for (const next of questions) {
      const found = await adapter.balanceOf(next.address, next.tokenId, tip)
      if (found === null) compared.left.push(next)
      else compared.comparisons.push({ ...next, found })
    }
  }
  await Promise.all(Array.from({ length: QUESTIONS_MAX }, ask))
  return compared
}
