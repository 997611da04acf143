import type { ChainState } from '../catalogue/chain-state.ts'
import type { BlockRef } from '../chains/port.ts'
import type { Judged } from '../deposits/confirm.ts'
import { confirmedHeight } from '../deposits/due.ts'
import { dueSpends } from '../transactions/settle.ts'
import { type Findings, SETTLE_BATCH_MAX } from './apply.ts'
import { confirmedBlock } from './ask-branch.ts'
import { endDispute, isDisputed } from './dispute.ts'
import { judgeDue } from './judge-due.ts'
import type { Watcher } from './watcher.ts'

/** Findings on a chain that is not running. */
export const NOTHING_DUE: Findings = { judged: [], settledUpTo: -1 }

/**
 * Judges the transfers that are due at a tip, unless that was done while the last run committed, at
 * most `judgeMax`. Settles spends only if the nodes agree about their block. Resolves a dispute
 * that has ended.
 */
export async function findDue(
  watcher: Watcher,
  at: { tip: BlockRef; final: ChainState['final'] },
  { ready, judgeMax }: { ready?: readonly Judged[] | undefined; judgeMax: number },
): Promise<Findings> {
  const judged = ready ?? (await judgeDue(watcher, { ...at, limit: judgeMax }))
  const settledUpTo = await settleableAt(watcher, at)
  await endDispute(watcher, at.tip)
  return { judged, settledUpTo }
}

/**
 * Height up to which spends may be settled; -1 for none. Never above the block that the nodes were
 * queried about: the run under way may bring spends that are due in the next step.
 */
async function settleableAt(
  watcher: Watcher,
  { tip, final }: { tip: BlockRef; final: ChainState['final'] },
): Promise<number> {
  const { entry, required, database } = watcher
  const upTo = confirmedHeight({ rule: entry.finality, required, tip, final })
  const batch = { entry, upTo, limit: SETTLE_BATCH_MAX }
  const highest = await database.transaction(async (tx) => {
    const { last, displacing } = await dueSpends(tx, batch)
    if (!displacing) return last
    // The replacement of a spend may be in any block below.
    return confirmedBlock(tx, { entry, required, tip, final })
  })
  if (highest === null) return -1
  return (await isDisputed(watcher, highest)) ? -1 : Math.min(upTo, highest.height)
}
