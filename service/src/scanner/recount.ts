import type { TokenId } from '@sluice/wire'
import { Outage } from '../base/fault.ts'
import { type ChainState, readChainState } from '../catalogue/chain-state.ts'
import type { BlockRef } from '../chains/port.ts'
import { highestReached, recountDeposits } from '../deposits/recount.ts'
import type { Tx } from '../store/database.ts'
import { assertLease } from '../store/lease.ts'
import { isDisputed } from './dispute.ts'
import type { Holder } from './watcher.ts'

/**
 * Counts deposits below the minimum of some tokens again, and credits those that reach it. Once per
 * term, because minimums change only with the configuration, which is read at the start. Only on a
 * running chain whose nodes agree with our blocks. Returns the tokens still to be counted: all
 * after an outage, otherwise those that are suspended.
 */
export async function recount(
  holder: Holder,
  uncounted: readonly TokenId[],
): Promise<readonly TokenId[]> {
  const { database, lease, catalogue, entry, log } = holder
  const chainId = entry.id
  for (;;) {
    const counted = await database.transaction(async (tx) => {
      const state = await readRunning(tx, holder)
      if (state === null) return null
      const upTo = state.tip.height
      const found = await highestReached(tx, { catalogue, chainId, uncounted, upTo })
      return { ...found, tip: state.tip }
    })
    if (counted === null) return uncounted
    const { highest, suspended, tip } = counted
    if (highest === null) return suspended
    if (!(await isCommon(holder, { highest, tip }))) return uncounted
    const credited = await database.transaction(async (tx) => {
      await assertLease(tx, lease)
      const state = await readRunning(tx, holder)
      if (state === null) return 0
      const upTo = highest.height
      return recountDeposits(tx, { catalogue, chainId, uncounted, upTo, tip: state.tip })
    })
    log.info({ chainId, deposits: credited }, 'deposits reach a minimum that was lowered')
    holder.notice({ type: 'confirmed', chainId, deposits: credited })
  }
}

async function readRunning(tx: Tx, { entry }: Holder): Promise<ChainState | null> {
  const state = await readChainState(tx, entry.id)
  return state?.condition === 'running' ? state : null
}

/**
 * Whether the nodes have our tip, and so all blocks below it, and none follows another branch.
 * After an outage the next step queries again, and blocks are read meanwhile.
 */
async function isCommon(
  holder: Holder,
  { highest, tip }: { highest: BlockRef; tip: BlockRef },
): Promise<boolean> {
  try {
    if ((await holder.adapter.hashAt(tip.height)) !== tip.hash) return false
    return !(await isDisputed(holder, highest))
  } catch (error) {
    if (!(error instanceof Outage)) throw error
    return false
  }
}
