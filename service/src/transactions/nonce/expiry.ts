import { hasExpired, windowEndOf } from '../../chains/spending.ts'
import { resolveAlert } from '../../journal/raise-alert.ts'
import type { Tx } from '../../store/database.ts'
import { lockSender } from '../core/lock-sender.ts'
import type { SpendMeans } from '../core/mandate.ts'
import { endRow, lockSpends } from '../core/spend-rows.ts'
import { SENDS, type Spend } from '../core/spend.ts'
import { selectTransactions } from '../core/transaction-rows.ts'
import type { SpendTransaction } from '../core/transaction.ts'

/**
 * Whether anything that was signed for a spend can still be included: `open` where it can, or where
 * nodes do not agree; `included` where a block has one; `ended` where none has and none will.
 */
export type Outlook = 'open' | 'included' | 'ended'

/**
 * Asks the chain itself before a window is followed by another: that no block which we read has
 * it is what our rows say, and they may have been changed (A13, N15). Where a number or coins bind
 * all that is signed for a spend, at most one can be included, and nothing is asked. Throws an
 * Outage where the nodes are away.
 */
export async function outlookOf(
  { adapter, database }: Pick<SpendMeans, 'adapter' | 'database'>,
  { spend, last }: { spend: Spend; last: SpendTransaction },
): Promise<Outlook> {
  const expiration = windowEndOf(last.terms)
  if (expiration === null) return 'ended'
  const signed = await database.transaction((tx) => selectTransactions(tx, [spend]))
  const fate = await adapter.fate({
    from: spend.sender,
    reservation: { kind: 'window', expiration },
    hashes: signed.map(({ txnHash }) => txnHash),
  })
  if (fate.state === 'expired') return 'ended'
  return fate.state === 'included' ? 'included' : 'open'
}

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
  deps: SpendMeans,
  { spend, last }: { spend: Spend; last: SpendTransaction },
): Promise<boolean> {
  if (deps.entry.accountNumbers !== 'none' || last.number < SIGNED_MAX) return false
  return deps.database.transaction((tx) => end(tx, deps, { spend, last }))
}

async function end(
  tx: Tx,
  deps: SpendMeans,
  { spend, last }: { spend: Spend; last: SpendTransaction },
): Promise<boolean> {
  const { fates } = deps
  const lockedSender = await lockSender(tx, deps, spend.sender)
  if ('outcome' in lockedSender || fates === undefined) return false
  if (hasExpired(last.terms, lockedSender) !== true) return false
  const [now] = await lockSpends(tx, [spend])
  if (now?.state !== 'Sent' || now.txnHash !== last.txnHash) return false
  const ended = await endRow(tx, { spend: now, move: SENDS.displace })
  if (ended === null) return false
  await resolveAlert(tx, { code: 'spend.stuck', subject: spend.id })
  await fates[ended.purpose].displaced(tx, ended)
  return true
}
