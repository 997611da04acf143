import { Outage } from '../base/fault.ts'
import { maySpend, readChainState } from '../catalogue/chain-state.ts'
import type { BlockRef } from '../chains/port.ts'
import { confirmedHeight } from '../deposits/due.ts'
import type { Tx } from '../store/database.ts'
import { isDisputed } from './dispute.ts'
import { selectHash } from './rows.ts'
import type { Watcher } from './watcher.ts'

/**
 * Queries whether the other nodes follow the branch on which money was credited, even without a due
 * transfer, and raises the alert if one does not: signing spends that money (N05). The query is
 * about the highest confirmed block: above it branches differ every day without effect. Outages
 * stop no payment; no node is queried while signing is not allowed.
 */
export async function askBranch(asker: Asker): Promise<void> {
  try {
    const block = await asker.database.transaction((tx) => creditedBy(tx, asker))
    if (block !== null) await isDisputed(asker, block)
  } catch (error) {
    // An outage is no dissent: every credit queries the nodes again.
    if (!(error instanceof Outage)) throw error
  }
}

type Asker = Pick<Watcher, 'database' | 'adapter' | 'entry' | 'required'>

/** Null if nothing may be signed. */
async function creditedBy(tx: Tx, { entry, required }: Asker): Promise<BlockRef | null> {
  const state = await readChainState(tx, entry.id)
  if (!maySpend(state)) return null
  return confirmedBlock(tx, { ...state, required, entry })
}

/** Highest block of ours that is confirmed at a tip; the tip itself if that block is not kept. */
export async function confirmedBlock(
  tx: Tx,
  given: { entry: Watcher['entry']; required: number; tip: BlockRef; final: BlockRef | null },
): Promise<BlockRef> {
  const { entry, tip } = given
  const height = confirmedHeight({ ...given, rule: entry.finality })
  const hash = await selectHash(tx, { chainId: entry.id, height })
  return hash === null ? tip : { height, hash }
}
