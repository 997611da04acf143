import type { ChainId } from '@sluice/wire'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { Catalogue } from '../catalogue/find.ts'
import type { BlockRef } from '../chains/port.ts'
import { post } from '../ledger/post.ts'
import type { Tx } from '../store/database.ts'
import { ownTransactions } from '../transactions/core/own.ts'
import { creditCoins } from '../transactions/utxo/follow-coins.ts'
import { type Deposit, type Funding, MOVES, isDeposit, isFunding } from './deposit.ts'
import { emitBalances, emitReverted } from './emit.ts'
import { resolveHeld } from './hold.ts'
import { orphanedPostings } from './postings.ts'
import { lockOfBlock, moveRows } from './rows.ts'

/**
 * Orphans every transfer of a block that left the chain, and reverses its postings; a balance may
 * become negative by it, flagged. Emits `deposit.reverted` for deposits. Returns the transfers that
 * had been confirmed: the caller freezes the chain for them (decisions, section 2).
 */
export async function orphanTransfers(
  tx: Tx,
  { catalogue, chainId, block }: { catalogue: Catalogue; chainId: ChainId; block: BlockRef },
): Promise<{ deposits: readonly Deposit[]; fundings: readonly Funding[] }> {
  const live = await lockOfBlock(tx, { chainId, block })
  if (live.length === 0) return { deposits: [], fundings: [] }
  await post(tx, live.flatMap(orphanedPostings))
  const moved = await moveRows(tx, { transfers: live, move: MOVES.orphan })
  // If a transfer returns it is judged again, and the alert raised again if it is held again.
  const held = live.filter(({ status }) => status === 'Held')
  await resolveHeld(tx, held)
  const previous = new Map(live.map(({ id, status }) => [id, status]))
  for (const deposit of moved.filter(isDeposit)) {
    emitReverted(tx, catalogue, deposit, previous.get(deposit.id) ?? deposit.status)
  }
  const confirmed = live.filter(({ status }) => status === 'Confirmed')
  await emitBalances(tx, { catalogue, reason: 'reversal', transfers: confirmed })
  return { deposits: confirmed.filter(isDeposit), fundings: confirmed.filter(isFunding) }
}

/**
 * Orphans fundings that are change of the organization's own payment, and makes it spendable. After
 * the restore of an old backup such a payment is unknown until its transaction is tracked (W25).
 * Runs in the commit that recorded the fundings, after spends were tracked; Bitcoin only.
 */
export async function dropChange(
  tx: Tx,
  { entry, fundings }: { entry: ChainEntry; fundings: readonly Funding[] },
): Promise<void> {
  if (entry.paymentModel !== 'utxo' || fundings.length === 0) return
  const hashes = [...new Set(fundings.map(({ txnHash }) => txnHash))]
  const own = await ownTransactions(tx, entry.id, hashes)
  const change = fundings.filter(({ txnHash, orgId }) => own.get(txnHash)?.orgId === orgId)
  await post(tx, change.flatMap(orphanedPostings))
  await moveRows(tx, { transfers: change, move: MOVES.orphan })
  await creditCoins(tx, { chainId: entry.id, arrivals: change })
}
