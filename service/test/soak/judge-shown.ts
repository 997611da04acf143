import type { Difference, Told } from './judge.ts'

/**
 * A run in which nothing was credited, or nothing paid, has shown nothing of it. What each token
 * begins with is credited before anything goes wrong, and shows nothing either.
 */
export function judgeShown(told: Told): Difference[] {
  const { chain, deposits, withdrawals, withdraws } = told
  const differences: Difference[] = []
  const credited = deposits.filter(({ status }) => status === 'Confirmed').length
  if (credited <= chain.tokens.length) {
    const details = `${chain.id}: ${credited} of ${deposits.length}`
    differences.push({ what: 'nothing was credited', details })
  }
  if (withdraws && !withdrawals.some(({ status }) => status === 'Completed')) {
    const details = `${chain.id}: none of ${told.wanted.length}`
    differences.push({ what: 'no withdrawal was completed', details })
  }
  return differences
}
