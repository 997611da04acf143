import type { ChainId } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import { type ChainEntry, nativeTokenId } from '../catalogue/chains.ts'
import type { BlockRef } from '../chains/port.ts'
import { resolveAlert } from '../alerts/raise-alert.ts'
import { post } from '../ledger/post.ts'
import { feePaid, reversalOf } from '../ledger/spend-postings.ts'
import type { Tx } from '../store/database.ts'
import type { SpendPoint } from './core/crash-points.ts'
import type { HooksByPurpose } from './core/hooks.ts'
import { clearForeign, type ForeignTransaction } from './core/foreign-rows.ts'
import { selectSender } from './core/sender-rows.ts'
import { placeKindOf } from './core/sender.ts'
import { lockNonce, lockOfBlock, lockSpends, undoRow } from './core/spend-rows.ts'
import { isConcluded, type Spend } from './core/spend.ts'
import { selectTransactions } from './core/transaction-rows.ts'
import { loseTickets } from './ticket/gain-tickets.ts'
import { coinSpendOf, unbookCoinSpend } from './utxo/book-coins.ts'
import { coinsSpentBy } from './utxo/coin-rows.ts'
import { selectInputs, selectSpenders } from './utxo/input-rows.ts'
import { selectTakenIn } from './utxo/origin-rows.ts'
import { reserveAgain } from './utxo/reserve-rows.ts'

/**
 * Undoes our spends of a block that left the chain, the last first: reverses fees, calls hooks, and
 * lets them wait for inclusion with the same bytes. Returns the spends that had been settled; the
 * caller freezes the chain for them, and nothing is sent until an operator resumes it (engineering,
 * 9).
 */
export async function untrackSpends(
  tx: Tx,
  undoing: {
    entry: ChainEntry
    block: BlockRef
    hooks: HooksByPurpose
    crash?: ((point: SpendPoint) => void) | undefined
  },
): Promise<{ settled: readonly Spend[] }> {
  const { entry, block, hooks, crash } = undoing
  const chainId = entry.id
  const settled: Spend[] = []
  for (const spend of await lockOfBlock(tx, { chainId, block })) {
    if (isConcluded(spend)) await hooks[spend.purpose].onReorged(tx, spend)
    await giveBackFee(tx, entry, spend)
    if (entry.paymentModel === 'utxo' && spend.block !== null) {
      await unbookCoinSpend(tx, coinSpendOf(spend, nativeTokenId(entry), spend.block))
    }
    await loseTickets(tx, spend)
    await undo(tx, undoing, spend)
    crash?.('untrack.undone')
    if (spend.state === 'Settled') settled.push(spend)
  }
  for (const foreign of await clearForeign(tx, { chainId, block })) {
    const displaced = await displacedBy(tx, entry, foreign)
    settled.push(...displaced.filter(({ state }) => state === 'Displaced'))
  }
  if (entry.paymentModel === 'utxo') {
    const displaced = await displacedWith(tx, { chainId, block })
    settled.push(...displaced.filter(({ state }) => state === 'Displaced'))
  }
  crash?.('untrack.untracked')
  return { settled }
}

/** The spends whose inputs the block had made unspendable. */
async function displacedWith(tx: Tx, at: { chainId: ChainId; block: BlockRef }): Promise<Spend[]> {
  const coins = await selectTakenIn(tx, at)
  if (coins.length === 0) return []
  return lockSpends(tx, await selectSpenders(tx, { chainId: at.chainId, coins }))
}

/** The spends that a foreign transaction had displaced. */
async function displacedBy(
  tx: Tx,
  entry: ChainEntry,
  { chainId, sender, nonce, txnHash }: ForeignTransaction,
): Promise<Spend[]> {
  if (entry.paymentModel === 'utxo') {
    const coins = await coinsSpentBy(tx, { chainId, hashes: [txnHash] })
    return lockSpends(tx, await selectSpenders(tx, { chainId, coins }))
  }
  const spend = nonce === null ? null : await lockNonce(tx, { chainId, sender, nonce })
  return spend === null ? [] : [spend]
}

/**
 * Returns a spend to `Sent` with the bytes signed last; a Bitcoin spend with the bytes that the
 * block had, since inputs of its other transactions may have been released. If the block had an
 * unknown transaction that counted as ours, inputs of the bytes signed last are reserved again.
 */
async function undo(
  tx: Tx,
  { entry, hooks }: { entry: ChainEntry; hooks: HooksByPurpose },
  spend: Spend,
): Promise<void> {
  const signed = await selectTransactions(tx, [spend])
  const had = signed.find(({ txnHash }) => txnHash === spend.txnHash)
  const last = (entry.paymentModel === 'utxo' ? had : undefined) ?? signed.at(-1)
  assert(last, 'spend has no transaction', { id: spend.id })
  const undone = await undoRow(tx, { spend, txnHash: last.txnHash })
  assert(undone, 'locked spend cannot be undone', { spend })
  if (entry.paymentModel === 'utxo') await reserveInputs(tx, undone)
  if (undone.txnHash !== spend.txnHash) await hooks[spend.purpose].onReplaced(tx, undone)
  await resolveAlert(tx, { code: 'spend.unproven', subject: spend.id })
}

/**
 * Inputs that another spend has reserved meanwhile stay with it: only one of the two can be
 * included.
 */
async function reserveInputs(tx: Tx, spend: Spend): Promise<void> {
  const { orgId, chainId, id: spendId, txnHash } = spend
  const inputs = await selectInputs(tx, [spend])
  const points = inputs.filter(({ spentBy }) => spentBy === txnHash)
  await reserveAgain(tx, { orgId, chainId, spendId, points })
}

async function giveBackFee(tx: Tx, entry: ChainEntry, spend: Spend): Promise<void> {
  const { orgId, chainId, id: referenceId, fee, block, sender: address } = spend
  if (fee === null || fee === 0n || block === null) return
  const sender = await selectSender(tx, { chainId, address })
  assert(sender, 'spend has no sender', { id: spend.id })
  const tokenId = nativeTokenId(entry)
  const moved = { orgId, chainId, tokenId, amount: fee, referenceId, blockHeight: block.height }
  await post(tx, [reversalOf(feePaid(moved, { kind: placeKindOf(sender), address }))])
}
