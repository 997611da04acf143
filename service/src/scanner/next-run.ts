import type { ChainState } from '../catalogue/chain-state.ts'
import { Outage } from '../base/fault.ts'
import type { BlockRef } from '../chains/port.ts'
import type { Judged } from '../deposits/confirm.ts'
import type { BlocksAhead } from './ahead.ts'
import { judgeDue } from './judge-due.ts'
import { chainedRun } from './reconcile.ts'
import type { Watcher } from './watcher.ts'
import { witnessRun } from './witness-run.ts'

/**
 * Takes the blocks after a run, and queries the chain about what they confirm, while that run
 * commits. Deposits of the run itself are not stored yet and are judged one run later. Prepares
 * nothing at the head or while blocks come one by one; after an outage the next step queries again.
 */
export async function prepareNext(
  watcher: Watcher,
  ahead: BlocksAhead,
  given: {
    last: BlockRef
    to: number
    final: ChainState['final']
    judged: readonly Judged[]
  },
): Promise<void> {
  const { last, to, final, judged: besides } = given
  if (ahead.isSlow || last.height >= to) return
  try {
    const taken = await ahead.take(last.height + 1, watcher.runMax)
    const blocks = chainedRun(last, taken)
    if (blocks.length < taken.length) ahead.drop()
    const tip = blocks.at(-1)
    if (tip === undefined) return
    const [judged, witnessed] = await Promise.all([
      judgeDue(watcher, { tip, final, besides, limit: ahead.judgeMax }),
      witnessRun(watcher, { blocks, final }),
    ])
    ahead.keep({ onto: last, blocks, judged, witnessed })
  } catch (error) {
    if (!(error instanceof Outage)) throw error
    ahead.drop()
  }
}
