import { matchAddresses } from '../accounts/watch.ts'
import { watchScope } from '../catalogue/scope.ts'
import { parseAddress } from '../chains/format-address.ts'
import type { Deposit } from '../deposits/deposit.ts'
import type { Verdict } from '../deposits/verdict.ts'
import { ownTransactions } from '../spends/own.ts'
import type { Tx } from '../store/database.ts'
import type { Watcher } from './watcher.ts'

/** Money that arrived, and who is told to have sent it. */
type Arrival = Pick<Deposit, 'id' | 'txnHash' | 'senderAddress' | 'cleared'>

/**
 * What is said of money that an address of ours sent without our knowing: as after the restore of
 * an old backup, to which a sweep or a top-up is a stranger (W25). It stands in the ledger already,
 * where it came from: to credit it would be to credit it twice.
 */
export const FORGOTTEN: Verdict = {
  credit: false,
  cause: 'an address of ours sent it, in a transaction that we do not remember',
  suspendToken: false,
}

/** Ids of those arrivals that addresses of ours sent in transactions that we do not remember. */
export async function forgottenAmong(
  tx: Tx,
  { entry, watched }: { entry: Watcher['entry']; watched: Watcher['watched'] },
  arrivals: readonly Arrival[],
): Promise<ReadonlySet<string>> {
  const sent = arrivals.flatMap(({ id, txnHash, senderAddress, cleared }) => {
    const from = cleared ? null : parseAddress(entry.id, senderAddress)
    const maybeOurs = from !== null && (watched?.mayWatch(from) ?? true)
    return maybeOurs ? [{ id, txnHash, from }] : []
  })
  if (sent.length === 0) return new Set()
  const senders = sent.map(({ from }) => from)
  const ours = await matchAddresses(tx, watchScope(entry), senders)
  const suspects = sent.filter(({ from }) => ours.has(from))
  const hashes = suspects.map(({ txnHash }) => txnHash)
  const own = await ownTransactions(tx, entry.id, hashes)
  return new Set(suspects.filter(({ txnHash }) => !own.has(txnHash)).map(({ id }) => id))
}
