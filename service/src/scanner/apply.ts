import { type ChainState, moveTip, setCondition } from '../catalogue/chain-state.ts'
import type { Block, BlockRef } from '../chains/port.ts'
import { type Judged, confirmDeposits } from '../deposits/confirm.ts'
import { detectDeposits } from '../deposits/detect.ts'
import { orphanDeposits } from '../deposits/orphan.ts'
import type { Tx } from '../store/database.ts'
import { assertLease } from '../store/lease.ts'
import { announceCondition } from './announce.ts'
import { endDispute } from './dispute.ts'
import { REORG_DEPTH_MAX } from './reconcile.ts'
import { deleteBlock, forgetBelow, insertBlocks, selectParent } from './rows.ts'
import type { Holder } from './watcher.ts'

/**
 * Connects a run of blocks onto our tip: deposits, ledger, events and the tip move in the
 * transaction it is given. Answers with how many deposits were new.
 */
export async function connectBlocks(
  tx: Tx,
  { lease, catalogue, entry, crash }: Holder,
  { from, blocks, judged }: { from: BlockRef; blocks: readonly Block[]; judged: readonly Judged[] },
): Promise<{ detected: number; confirmed: number }> {
  const last = blocks.at(-1)
  if (last === undefined) return { detected: 0, confirmed: 0 }
  await assertLease(tx, lease)
  crash?.('connect.leased')
  const detected = await detectDeposits(tx, { catalogue, entry, blocks })
  crash?.('connect.detected')
  const tip = { height: last.height, hash: last.hash }
  const confirmed = await confirmDeposits(tx, { catalogue, chainId: entry.id, tip, judged })
  if (confirmed > 0) await endDispute(tx, { entry })
  crash?.('connect.confirmed')
  await insertBlocks(tx, { chainId: entry.id, blocks })
  await forgetBelow(tx, { chainId: entry.id, height: tip.height - REORG_DEPTH_MAX })
  crash?.('connect.stored')
  // Last: if anything above throws, these blocks were never seen.
  await moveTip(tx, { chainId: entry.id, from, to: tip, tipTime: last.time })
  crash?.('connect.moved')
  tx.beforeCommit(async () => crash?.('connect.told'))
  return { detected: detected.length, confirmed }
}

/**
 * Undoes our tip: its deposits are orphaned and the block below becomes the tip. If one of them had
 * been credited, the chain freezes until an operator resumes it (decisions, section 2).
 */
export async function disconnectBlock(
  tx: Tx,
  { lease, catalogue, entry, crash }: Holder,
  block: BlockRef,
): Promise<void> {
  await assertLease(tx, lease)
  crash?.('disconnect.leased')
  const chainId = entry.id
  const credited = await orphanDeposits(tx, { catalogue, chainId, block })
  crash?.('disconnect.orphaned')
  const parent = await selectParent(tx, { chainId, block })
  await deleteBlock(tx, { chainId, block })
  await moveTip(tx, { chainId, from: block, to: parent, tipTime: parent.time })
  crash?.('disconnect.moved')
  tx.beforeCommit(async () => crash?.('disconnect.told'))
  if (credited.length === 0) return
  const cause = `block ${block.height} left the chain with ${credited.length} credited deposits`
  await stopChain(tx, { chainId, condition: 'frozen', cause })
}

/** Confirms deposits at a tip that does not move. */
export async function confirmAtTip(
  tx: Tx,
  { lease, catalogue, entry, crash }: Holder,
  { tip, judged }: { tip: BlockRef; judged: readonly Judged[] },
): Promise<number> {
  await assertLease(tx, lease)
  const confirmed = await confirmDeposits(tx, { catalogue, chainId: entry.id, tip, judged })
  if (confirmed > 0) await endDispute(tx, { entry })
  crash?.('confirm.confirmed')
  tx.beforeCommit(async () => crash?.('confirm.told'))
  return confirmed
}

/** Freezes or halts a chain, once, and tells everybody whom it concerns. */
export async function stopChain(
  tx: Tx,
  given: { chainId: ChainState['chainId']; condition: 'frozen' | 'halted'; cause: string },
): Promise<void> {
  const changed = await setCondition(tx, given)
  if (changed) await announceCondition(tx, given)
}
