import type { ChainId } from '@sluice/wire'
import {
  type ChainState,
  type HeadNote,
  moveTip,
  noteHead,
  setCondition,
} from '../catalogue/chain-state.ts'
import type { Block, BlockRef } from '../chains/port.ts'
import type { Witnessed } from '../deposits/confirm-immediately.ts'
import { type Judged, confirmTransfers } from '../deposits/confirm.ts'
import type { Deposit } from '../deposits/deposit.ts'
import { orphanTransfers } from '../deposits/orphan.ts'
import type { Tx } from '../store/database.ts'
import { assertLease } from '../store/lease.ts'
import { settleSpends } from '../transactions/settle.ts'
import { untrackSpends } from '../transactions/untrack.ts'
import { loseCoins } from '../transactions/utxo/follow-coins.ts'
import { announceCondition, announceDoubts } from './announce.ts'
import { forgottenAmong } from './forgotten.ts'
import { REORG_DEPTH_MAX } from './reconcile.ts'
import { recordBlocks } from './record-blocks.ts'
import { deleteBlock, forgetBelow, insertBlocks, selectParent } from './rows.ts'
import type { Holder } from './watcher.ts'

/** Spends settled in one commit at most. */
export const SETTLE_BATCH_MAX = 500

/** Judgements that precede the commit that applies them. */
export interface Findings {
  judged: readonly Judged[]
  /** The highest block whose spends are settled; -1 for none. */
  settledUpTo: number
}

/**
 * Connects a run of blocks to our tip: transfers, our own spends, ledger, events and the tip change
 * in this transaction, and the head of the nodes is noted. Returns the numbers of new and of
 * confirmed deposits.
 */
export async function connectBlocks(
  tx: Tx,
  holder: Holder,
  {
    from,
    blocks,
    note,
    witnessed,
    ...findings
  }: Findings & {
    from: BlockRef
    blocks: readonly Block[]
    note: HeadNote
    witnessed: Witnessed
  },
): Promise<{ detected: number; confirmed: number }> {
  const { lease, serviceKey, entry, watched, crash } = holder
  const last = blocks.at(-1)
  if (last === undefined) return { detected: 0, confirmed: 0 }
  await assertLease(tx, lease)
  crash?.('connect.leased')
  const tip = { height: last.height, hash: last.hash }
  const immediate = {
    ...witnessed,
    entry,
    tip,
    forgottenAmong: (deposits: readonly Deposit[]) =>
      forgottenAmong(tx, { serviceKey, entry, watched }, deposits),
  }
  const onDetected = () => crash?.('connect.detected')
  const { deposits } = await recordBlocks(tx, holder, { blocks, immediate, onDetected })
  crash?.('connect.tracked')
  const fresh = deposits.filter(({ status }) => status === 'Confirmed')
  const confirmed = await conclude(tx, holder, { tip, fresh, ...findings })
  crash?.('connect.confirmed')
  await insertBlocks(tx, { chainId: entry.id, blocks })
  await forgetBelow(tx, { chainId: entry.id, height: tip.height - REORG_DEPTH_MAX })
  await announceDoubts(tx, entry, blocks)
  crash?.('connect.stored')
  // Last: if anything above throws, these blocks were never connected.
  await moveTip(tx, { chainId: entry.id, from, to: tip, tipTime: last.time })
  await noteHead(tx, { chainId: entry.id, ...note })
  crash?.('connect.moved')
  tx.beforeCommit(async () => crash?.('connect.told'))
  return { detected: deposits.length, confirmed }
}

/**
 * Undoes our tip: our own spends in it are pending again, its transfers are orphaned, and the block
 * below becomes the tip. If one of them had been credited or settled, the chain freezes until an
 * operator resumes it (decisions, section 2).
 */
export async function disconnectBlock(tx: Tx, holder: Holder, block: BlockRef): Promise<void> {
  const { lease, entry, crash } = holder
  await assertLease(tx, lease)
  crash?.('disconnect.leased')
  const chainId = entry.id
  const booked = await undoBlock(tx, holder, block)
  const parent = await selectParent(tx, { chainId, block })
  await deleteBlock(tx, { chainId, block })
  await moveTip(tx, { chainId, from: block, to: parent, tipTime: parent.time })
  crash?.('disconnect.moved')
  tx.beforeCommit(async () => crash?.('disconnect.told'))
  await freezeFor(tx, { chainId, blocks: [block], booked: [booked] })
}

/**
 * Undoes what was recorded in replaced blocks of which no row is kept, highest first; freezes the
 * chain as `disconnectBlock` does.
 */
export async function undoBlocks(
  tx: Tx,
  holder: Holder,
  blocks: readonly BlockRef[],
): Promise<void> {
  const booked: Booked[] = []
  for (const block of blocks) booked.push(await undoBlock(tx, holder, block))
  await freezeFor(tx, { chainId: holder.entry.id, blocks, booked })
}

/** Numbers of undone records that had been credited or settled. */
interface Booked {
  deposits: number
  fundings: number
  spends: number
}

async function undoBlock(
  tx: Tx,
  { catalogue, entry, hooks, crash }: Holder,
  block: BlockRef,
): Promise<Booked> {
  const chainId = entry.id
  const { settled } = await untrackSpends(tx, { entry, block, hooks, crash })
  crash?.('disconnect.untracked')
  const { deposits, fundings } = await orphanTransfers(tx, { catalogue, chainId, block })
  await loseCoins(tx, { entry, block })
  crash?.('disconnect.orphaned')
  return { deposits: deposits.length, fundings: fundings.length, spends: settled.length }
}

async function freezeFor(
  tx: Tx,
  {
    chainId,
    blocks,
    booked,
  }: { chainId: ChainId; blocks: readonly BlockRef[]; booked: readonly Booked[] },
): Promise<void> {
  const count = (of: keyof Booked) => booked.reduce((total, numbers) => total + numbers[of], 0)
  const lost = [
    { many: count('deposits'), noun: 'credited deposits' },
    { many: count('fundings'), noun: 'credited fundings' },
    { many: count('spends'), noun: 'settled payments of our own' },
  ].filter(({ many }) => many > 0)
  const [highest, lowest] = [blocks.at(0)?.height, blocks.at(-1)?.height]
  if (lost.length === 0) return
  const which = lowest === highest ? `block ${lowest}` : `blocks from ${lowest} to ${highest}`
  const cause = `${which} left the chain with ${lost.map(phraseOf).join(' and ')}`
  await stopChain(tx, { chainId, condition: 'frozen', cause })
}

function phraseOf({ many, noun }: { many: number; noun: string }): string {
  return `${many} ${noun}`
}

/** Confirms deposits, and settles spends, at a tip that does not move. */
export async function confirmAtTip(
  tx: Tx,
  holder: Holder,
  given: Findings & { tip: BlockRef },
): Promise<number> {
  const { lease, crash } = holder
  await assertLease(tx, lease)
  const confirmed = await conclude(tx, holder, given)
  crash?.('confirm.confirmed')
  tx.beforeCommit(async () => crash?.('confirm.told'))
  return confirmed
}

/** Confirms judged transfers and settles spends; returns the number of deposits that moved. */
async function conclude(
  tx: Tx,
  holder: Holder,
  given: Findings & { tip: BlockRef; fresh?: readonly Deposit[] },
): Promise<number> {
  const { serviceKey, catalogue, entry } = holder
  const confirmed = await confirmTransfers(tx, { serviceKey, catalogue, entry, ...given })
  await settle(tx, holder, given.settledUpTo)
  return confirmed
}

async function settle(tx: Tx, { entry, hooks, crash }: Holder, upTo: number): Promise<void> {
  if (upTo < 0) return
  await settleSpends(tx, { entry, upTo, hooks, limit: SETTLE_BATCH_MAX, crash })
}

/** Freezes or halts a chain; raises the alert and emits events if the condition changed. */
export async function stopChain(
  tx: Tx,
  given: { chainId: ChainState['chainId']; condition: 'frozen' | 'halted'; cause: string },
): Promise<void> {
  const changed = await setCondition(tx, given)
  if (changed) await announceCondition(tx, given)
}
