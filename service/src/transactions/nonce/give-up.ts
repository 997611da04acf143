import { hasExpired } from '../../chains/spending.ts'
import { resolveAlert } from '../../journal/raise-alert.ts'
import type { Tx } from '../../store/database.ts'
import type { SpendMeans } from '../core/mandate.ts'
import { enterOffice } from '../core/office.ts'
import { SENDS, type Spend } from '../core/spend.ts'
import { endRow, lockSpends } from '../core/spend-rows.ts'
import type { SpendTransaction } from '../core/transaction.ts'

/** Transactions that are signed for a spend where each must have expired before the next. */
export const SIGNED_MAX = 4

/**
 * Ends a spend of which no transaction was ever included, and none can be any more: the first and
 * its three successors have expired in the time of blocks that no fork can replace, all of which we
 * have read (engineering, 4). Whoever asked is told, in the same commit. Where a chain counts
 * nonces a successor takes the place of the one before it, and nothing is given up. To be asked
 * only where the adapter too finds the last one over. Answers whether it was given up.
 */
export async function giveUp(
  means: SpendMeans,
  { spend, last }: { spend: Spend; last: SpendTransaction },
): Promise<boolean> {
  if (means.entry.accountNumbers !== 'none' || last.number < SIGNED_MAX) return false
  return means.database.transaction((tx) => end(tx, means, { spend, last }))
}

async function end(
  tx: Tx,
  means: SpendMeans,
  { spend, last }: { spend: Spend; last: SpendTransaction },
): Promise<boolean> {
  const { fates } = means
  const office = await enterOffice(tx, means, spend.sender)
  if ('outcome' in office || fates === undefined) return false
  if (hasExpired(last.terms, office) !== true) return false
  const [now] = await lockSpends(tx, [spend])
  if (now?.state !== 'Sent' || now.txnHash !== last.txnHash) return false
  const ended = await endRow(tx, { spend: now, move: SENDS.displace })
  if (ended === null) return false
  await resolveAlert(tx, { code: 'spend.stuck', subject: spend.id })
  await fates[ended.purpose].displaced(tx, ended)
  return true
}
