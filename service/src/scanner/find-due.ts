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

/** On a chain that does not run nothing is confirmed. */
export const NOTHING_DUE: Findings = { judged: [], settledUpTo: -1 }

/**
 * Finds what is confirmed at a tip, and asks the chain what must be asked before the commit that
 * acts on it: deposits (unless that was done while the last run committed) and fundings are
 * judged, `judgeMax` deposits at most; spends are settled unless the nodes disagree about their
 * block. A dispute that is over is told as such.
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
 * The height up to which spends may be settled; -1 for none. Not above the block that the nodes
 * were asked about: the run under way may bring spends that are deep enough and that nobody knows
 * of yet. Those are due in the next step.
 */
async function settleableAt(
  watcher: Watcher,
  { tip, final }: { tip: BlockRef; final: ChainState['final'] },
): Promise<number> {
  const { entry, required, database } = watcher
  const upTo = confirmedHeight({ rule: entry.finality, required, tip, final })
  const given = { entry, upTo, limit: SETTLE_BATCH_MAX }
  const highest = await database.transaction(async (tx) => {
    const { last, displacing } = await dueSpends(tx, given)
    if (!displacing) return last
    // What takes the place of a spend lies in whichever block below.
    return confirmedBlock(tx, { entry, required, tip, final })
  })
  if (highest === null) return -1
  return (await isDisputed(watcher, highest)) ? -1 : Math.min(upTo, highest.height)
}
