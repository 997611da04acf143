import { openSubjects, raiseIfNews, resolveAlerts } from '../../journal/raise-alert.ts'
import type { Tx } from '../../store/database.ts'
import type { WithdrawalMeans } from './means.ts'
import { selectWaitingForFunds } from '../rows.ts'
import type { Withdrawal } from '../withdrawal.ts'

const WAITING = 'withdrawal.waiting'

/** Whether it has waited for what it waits for as long as it may. */
export function hasWaitedLong(
  { clock }: Pick<Tx, 'clock'>,
  { gasWaitMs }: Pick<WithdrawalMeans, 'gasWaitMs'>,
  { waitingSince }: Pick<Withdrawal, 'waitingSince'>,
): boolean {
  const now = clock.now()
  return now - (waitingSince ?? now) >= gasWaitMs
}

/**
 * Tells an operator of a withdrawal that waits for funds and goes on waiting: nothing else would
 * say so, and its money is set aside meanwhile. Once, and once more where what brings them changes.
 */
export async function tellWaiting(
  tx: Tx,
  { catalogue, entry }: Pick<WithdrawalMeans, 'catalogue' | 'entry'>,
  { withdrawal, isOwed = false }: { withdrawal: Withdrawal; isOwed?: boolean },
): Promise<void> {
  const { orgId, id: subject, chainId, tokenId, amount } = withdrawal
  const { name } = catalogue.summary(tokenId)
  const message =
    `The withdrawal ${subject} of ${amount} base units of ${tokenId} (${name}) on ${entry.name} ` +
    `waits for funds: ${isOwed ? OWED : whatBrings(entry)}.`
  await raiseIfNews(tx, { code: WAITING, subject, message, details: { orgId, chainId, tokenId } })
}

/**
 * Closes what was told of withdrawals, of whatever chain, that do not wait for funds any more.
 * Answers with how many these are.
 */
export function closeWaiting({ database }: Pick<WithdrawalMeans, 'database'>): Promise<number> {
  return database.transaction(async (tx) => {
    const told = await openSubjects(tx, WAITING)
    if (told.length === 0) return 0
    const standing = await selectWaitingForFunds(tx, told)
    const subjects = told.filter((id) => !standing.has(id))
    await resolveAlerts(tx, { code: WAITING, subjects })
    return subjects.length
  })
}

const OWED = 'what the organization has of the token is less than nothing, as after a reorg'

function whatBrings(entry: WithdrawalMeans['entry']): string {
  return entry.hasGasWallets
    ? 'the settlement account holds less, and no sweep has brought the rest'
    : 'too little of what there is can be spent for it, and a payment or deposit is under way'
}
