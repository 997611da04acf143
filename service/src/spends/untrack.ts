import type { ChainEntry } from '../catalogue/chains.ts'
import { nativeTokenId } from '../catalogue/chains.ts'
import { assert } from '../base/assert.ts'
import type { BlockRef } from '../chains/port.ts'
import { resolveAlert } from '../journal/raise-alert.ts'
import { post } from '../ledger/post.ts'
import { feePaid, reversalOf } from '../ledger/spend-postings.ts'
import type { Tx } from '../store/database.ts'
import type { SpendPoint } from './crash-points.ts'
import { clearForeign } from './foreign-rows.ts'
import type { SpendFates } from './fates.ts'
import { placeKindOf } from './sender.ts'
import { selectSender } from './sender-rows.ts'
import { type Spend, isConcluded } from './spend.ts'
import { lockNonce, lockOfBlock, undoRow } from './spend-rows.ts'
import { selectTransactions } from './transaction-rows.ts'

/**
 * Takes back what a block that left the chain had shown of our spends, the last first: fees are
 * given back, whoever asked is told, and they wait for a block again, with the same bytes. Answers
 * with those that had been settled: the caller freezes the chain for them, and nothing goes out
 * before it is resumed (engineering, 9).
 */
export async function untrackSpends(
  tx: Tx,
  given: {
    entry: ChainEntry
    block: BlockRef
    fates: SpendFates
    crash?: ((point: SpendPoint) => void) | undefined
  },
): Promise<{ settled: readonly Spend[] }> {
  const { entry, block, fates, crash } = given
  const chainId = entry.id
  const settled: Spend[] = []
  for (const spend of await lockOfBlock(tx, { chainId, block })) {
    if (isConcluded(spend)) await fates[spend.purpose].unincluded(tx, spend)
    await giveBackFee(tx, entry, spend)
    await undo(tx, spend)
    crash?.('untrack.undone')
    if (spend.state === 'Settled') settled.push(spend)
  }
  for (const foreign of await clearForeign(tx, { chainId, block })) {
    const { nonce } = foreign
    if (nonce === null) continue
    const displaced = await lockNonce(tx, { ...foreign, nonce })
    if (displaced?.state === 'Displaced') settled.push(displaced)
  }
  crash?.('untrack.untracked')
  return { settled }
}

async function undo(tx: Tx, spend: Spend): Promise<void> {
  const last = (await selectTransactions(tx, [spend])).at(-1)
  assert(last, 'a spend without a transaction', { id: spend.id })
  const undone = await undoRow(tx, { spend, txnHash: last.txnHash })
  assert(undone, 'a locked spend that was not to be undone', { spend })
  await resolveAlert(tx, { code: 'spend.unproven', subject: spend.id })
}

async function giveBackFee(tx: Tx, entry: ChainEntry, spend: Spend): Promise<void> {
  const { orgId, chainId, id: referenceId, fee, block, sender: address } = spend
  if (fee === null || fee === 0n || block === null) return
  const sender = await selectSender(tx, { chainId, address })
  assert(sender, 'a spend without its sender', { id: spend.id })
  const tokenId = nativeTokenId(entry)
  const moved = { orgId, chainId, tokenId, amount: fee, referenceId, blockHeight: block.height }
  await post(tx, [reversalOf(feePaid(moved, { kind: placeKindOf(sender), address }))])
}
