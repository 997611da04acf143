import { pointKey } from './coin.ts'
import type { Input } from './input-rows.ts'

/**
 * The coins that every transaction of a spend spends, of each of these spends: while there is one,
 * no two of its transactions can ever be included; once it can never be spent, none of them can.
 * `inputs`: all that all transactions of the spends spend. By the ids of the spends.
 */
export function pivotsOf(inputs: readonly Input[]): Map<string, Input[]> {
  const signed = new Map<string, Set<string>>()
  const spending = new Map<string, { input: Input; by: Set<string> }>()
  for (const input of inputs) {
    const { spendId, spentBy } = input
    signed.set(spendId, (signed.get(spendId) ?? new Set()).add(spentBy))
    const key = `${spendId} ${pointKey(input)}`
    const known = spending.get(key) ?? { input, by: new Set() }
    known.by.add(spentBy)
    spending.set(key, known)
  }
  const pivots = new Map<string, Input[]>()
  for (const { input, by } of spending.values()) {
    const { spendId } = input
    if (by.size !== signed.get(spendId)?.size) continue
    const known = pivots.get(spendId)
    if (known === undefined) pivots.set(spendId, [input])
    else known.push(input)
  }
  return pivots
}
