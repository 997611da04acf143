import { hasExpired, windowEndOf } from '../../chains/spending.ts'
import { resolveAlert } from '../../alerts/raise-alert.ts'
import type { Tx } from '../../store/database.ts'
import { lockSender } from '../core/lock-sender.ts'
import type { SpendDeps } from '../core/payment-request.ts'
import { endRow, lockSpends } from '../core/spend-rows.ts'
import { SENDS, type Spend } from '../core/spend.ts'
import { selectTransactions } from '../core/transaction-rows.ts'
import type { SpendTransaction } from '../core/transaction.ts'

/**
 * Whether a transaction of a spend can still be included: `open` if it can or nodes disagree,
 * `included` if a block has one, `ended` if all of them have expired.
 */
export type Outlook = 'open' | 'included' | 'ended'

/**
 * Queries the chain before one validity window is followed by another, because our rows may have
 * been altered (A13, N15). No query if a nonce or shared inputs make the transactions exclusive.
 * Throws an Outage if no node answers.
 */
export async function outlookOf(
  { adapter, database }: Pick<SpendDeps, 'adapter' | 'database'>,
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
 * Gives up a spend whose transactions, the first and its three successors, have all expired by the
 * time of final blocks, each of which was scanned (engineering, 4). Calls the `displaced` hook in
 * the same commit. Never on chains with nonces, where a successor replaces its predecessor. Call it
 * only if `outlookOf` returns `ended`. Returns whether the spend was given up.
 */
export async function giveUp(
  deps: SpendDeps,
  { spend, last }: { spend: Spend; last: SpendTransaction },
): Promise<boolean> {
  if (deps.entry.accountNumbers !== 'none' || last.number < SIGNED_MAX) return false
  return deps.database.transaction((tx) => end(tx, deps, { spend, last }))
}

async function end(
  tx: Tx,
  deps: SpendDeps,
  { spend, last }: { spend: Spend; last: SpendTransaction },
): Promise<boolean> {
  const { hooks } = deps
  const lockedSender = await lockSender(tx, deps, spend.sender)
  if ('outcome' in lockedSender) return false
  if (hasExpired(last.terms, lockedSender) !== true) return false
  const [now] = await lockSpends(tx, [spend])
  if (now?.state !== 'Sent' || now.txnHash !== last.txnHash) return false
  const ended = await endRow(tx, { spend: now, move: SENDS.displace })
  if (ended === null) return false
  await resolveAlert(tx, { code: 'spend.stuck', subject: spend.id })
  await hooks[ended.purpose].onDisplaced(tx, ended)
  return true
}
