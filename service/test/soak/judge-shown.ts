import type { Difference, Told } from './judge.ts'

/**
 * A run without a credit or without a payment proves nothing about them. The first deposit of each
 * token precedes the faults and does not count.
 */
export function judgeShown(told: Told): Difference[] {
  const { chain, deposits, withdrawals, withdraws } = told
  const differences: Difference[] = []
  const credited = deposits.filter(({ status }) => status === 'Confirmed').length
  if (credited <= chain.tokens.length) {
    const details = `${chain.id}: ${credited} of ${deposits.length}`
    differences.push({ what: 'no deposit was credited', details })
  }
  if (withdraws && !withdrawals.some(({ status }) => status === 'Completed')) {
    const details = `${chain.id}: none of ${told.wanted.length}`
    differences.push({ what: 'no withdrawal was completed', details })
  }
  return differences
}
