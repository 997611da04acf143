import { matchAddresses } from '../accounts/watch.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import { watchScope } from '../catalogue/scope.ts'
import { parseAddress } from '../chains/format-address.ts'
import type { IncomingTransfer } from '../deposits/deposit.ts'
import type { Verdict } from '../deposits/verdict.ts'
import type { Tx } from '../store/database.ts'
import { ownTransactions } from '../transactions/core/own.ts'
import { coinsSpentBy } from '../transactions/utxo/coin-rows.ts'
import type { Watcher } from './watcher.ts'

type Asking = Pick<Watcher, 'serviceKey' | 'entry' | 'watched'>

/** A transfer and its stated sender. */
type Arrival = Pick<IncomingTransfer, 'id' | 'txnHash' | 'senderAddress' | 'cleared'>

/**
 * Verdict on money that an address of ours sent in an unknown transaction, such as a sweep after
 * the restore of an old backup (W25). The ledger already has it at its origin: a credit would count
 * it twice.
 */
export const FORGOTTEN: Verdict = {
  credit: false,
  cause: 'an address of ours sent it, in a transaction that we do not remember',
  suspendToken: false,
}

/** Ids of those transfers that addresses of ours sent in unknown transactions. */
export async function forgottenAmong(
  tx: Tx,
  given: Asking,
  arrivals: readonly Arrival[],
): Promise<ReadonlySet<string>> {
  const { entry } = given
  const suspects = [
    ...(await fromOwnAddresses(tx, given, arrivals)),
    ...(entry.paymentModel === 'utxo' ? await fromOwnCoins(tx, entry, arrivals) : []),
  ]
  if (suspects.length === 0) return new Set()
  const hashes = suspects.map(({ txnHash }) => txnHash)
  const own = await ownTransactions(tx, entry.id, hashes)
  return new Set(suspects.filter(({ txnHash }) => !own.has(txnHash)).map(({ id }) => id))
}

/** Without a stated sender: transfers whose transaction spent coins of ours. */
async function fromOwnCoins(
  tx: Tx,
  { id: chainId }: ChainEntry,
  arrivals: readonly Arrival[],
): Promise<Arrival[]> {
  const open = arrivals.filter(({ cleared }) => !cleared)
  const hashes = [...new Set(open.map(({ txnHash }) => txnHash))]
  const spent = await coinsSpentBy(tx, { chainId, hashes })
  const spenders = new Set(spent.map((coin) => coin.spent?.txnHash))
  return open.filter(({ txnHash }) => spenders.has(txnHash))
}

async function fromOwnAddresses(
  tx: Tx,
  { serviceKey, entry, watched }: Asking,
  arrivals: readonly Arrival[],
): Promise<Arrival[]> {
  const sent = arrivals.flatMap(({ id, txnHash, senderAddress, cleared }) => {
    const from = cleared ? null : parseAddress(entry.id, senderAddress)
    const maybeOurs = from !== null && (watched?.mayWatch(from) ?? true)
    return maybeOurs ? [{ id, txnHash, senderAddress, cleared, from }] : []
  })
  if (sent.length === 0) return []
  const senders = sent.map(({ from }) => from)
  const asked = { scope: watchScope(entry), addresses: senders }
  const ours = await matchAddresses(tx, serviceKey, asked)
  return sent.filter(({ from }) => ours.has(from))
}
