import type { Auditor } from './auditor.ts'
import { compareCoins } from './compare-coins.ts'
import { compareSettled } from './compare-settled.ts'
import { type Question, readExpectations } from './expectations.ts'
import type { Compared } from './finding.ts'

/** Concurrent queries of a node. */
const QUESTIONS_MAX = 8

/**
 * Compares the ledger with the chain on these addresses: at our tip, at the final block if the
 * nodes only answer for that, or coin by coin if the chain has unspent outputs. Balances that the
 * node cannot answer are left uncompared.
 */
export async function compareAddresses(auditor: Auditor, question: Question): Promise<Compared> {
  if (question.addresses.length === 0) return { tip: null, comparisons: [], left: [] }
  if (auditor.entry.paymentModel === 'utxo') return compareCoins(auditor, question)
  const { adapter } = auditor
  if (adapter.balancesAt === 'final-block') return compareSettled({ ...auditor, adapter }, question)
  const { tip, expectations } = await readExpectations(auditor, question)
  if (tip === null) return { tip, comparisons: [], left: expectations }
  const compared: Compared = { tip, comparisons: [], left: [] }
  // In order of importance: a node that answers only for the moment answers the first ones.
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
