import type { ChainEntry } from '../catalogue/chains.ts'
import { creditCoins } from '../transactions/utxo/follow-coins.ts'
import { CLAIM } from '../ledger/account.ts'
import { post } from '../ledger/post.ts'
import { fundingOrphaned } from '../ledger/spend-postings.ts'
import { ownTransactions } from '../transactions/core/own.ts'
import type { Tx } from '../store/database.ts'
import { type Funding, MOVES } from './funding.ts'
import { movedOf, whereOf } from './moved.ts'
import { moveRow } from './rows.ts'

/**
 * Takes back fundings that are none: what they brought was left of a payment of the organization's
 * own, which was a stranger when they were recorded and has been known again since, as where a
 * backup is older than the payment (W25). What returned may be spent at once. In the commit that
 * recorded them, after our own spends were followed; only on chains that spend coins.
 */
export async function dropChange(
  tx: Tx,
  { entry, fundings }: { entry: ChainEntry; fundings: readonly Funding[] },
): Promise<void> {
  if (entry.paymentModel !== 'utxo' || fundings.length === 0) return
  const hashes = [...new Set(fundings.map(({ txnHash }) => txnHash))]
  const own = await ownTransactions(tx, entry.id, hashes)
  const change = fundings.filter(({ txnHash, orgId }) => own.get(txnHash)?.orgId === orgId)
  for (const funding of change) {
    const taken = { standing: CLAIM.unconfirmed, at: whereOf(funding) }
    await post(tx, [fundingOrphaned(movedOf(funding), taken)])
    await moveRow(tx, { funding, move: MOVES.orphan, booked: 'none' })
  }
  await creditCoins(tx, { chainId: entry.id, arrivals: change })
}
