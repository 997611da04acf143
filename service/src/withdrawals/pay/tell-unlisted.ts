import type { TokenId } from '@sluice/wire'
import { openSubjects, raiseAlert, resolveAlerts } from '../../journal/raise-alert.ts'
import type { WithdrawalMeans } from './means.ts'

const UNLISTED = 'token.unlisted'

/**
 * Tells an operator of the tokens of which withdrawals wait because the configuration has them no
 * more, each once, and closes what was told of the chain's others: nothing waits for them.
 */
export async function tellUnlisted(
  { database, catalogue, entry }: Pick<WithdrawalMeans, 'database' | 'catalogue' | 'entry'>,
  waiting: ReadonlySet<TokenId>,
): Promise<void> {
  const standing: ReadonlySet<string> = waiting
  await database.transaction(async (tx) => {
    const told = await openSubjects(tx, UNLISTED)
    const over = told.filter(
      (subject) => subject.startsWith(`${entry.id}/`) && !standing.has(subject),
    )
    await resolveAlerts(tx, { code: UNLISTED, subjects: over })
    for (const subject of waiting) {
      if (told.includes(subject)) continue
      const { name } = catalogue.summary(subject)
      const message =
        `Withdrawals of ${subject} (${name}) wait: it is not configured, and nothing of it is ` +
        'signed before it is again.'
      await raiseAlert(tx, { code: UNLISTED, subject, message, details: { chainId: entry.id } })
    }
  })
}
