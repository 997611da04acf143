import { Outage } from '../base/fault.ts'
import { maySpend, readChainState } from '../catalogue/chain-state.ts'
import type { BlockRef } from '../chains/port.ts'
import { confirmedHeight } from '../deposits/due.ts'
import type { Tx } from '../store/database.ts'
import { isDisputed } from './dispute.ts'
import { selectHash } from './rows.ts'
import type { Watcher } from './watcher.ts'

/**
 * Asks the other nodes whether they follow the branch on which money was credited, though nothing
 * is due just now, and raises the alert where one does not: what is signed pays with that money
 * (N05). The block they are asked about is the highest that counts as confirmed: a branch that
 * leaves ours above it has taken nothing with it that was credited, and blocks are replaced there
 * on any day. Nodes that are away stop no payment; where nothing may be signed anyhow nobody is
 * asked.
 */
export async function askBranch(asker: Asker): Promise<void> {
  try {
    const block = await asker.database.transaction((tx) => creditedBy(tx, asker))
    if (block !== null) await isDisputed(asker, block)
  } catch (error) {
    // Not to know whether they do is no reason to doubt it: whatever is credited asks by itself.
    if (!(error instanceof Outage)) throw error
  }
}

type Asker = Pick<Watcher, 'database' | 'adapter' | 'entry' | 'required'>

/** Null where nothing may be signed anyhow. */
async function creditedBy(tx: Tx, { entry, required }: Asker): Promise<BlockRef | null> {
  const state = await readChainState(tx, entry.id)
  if (!maySpend(state)) return null
  return confirmedBlock(tx, { ...state, required, entry })
}

/**
 * The highest block of ours that counts as confirmed at a tip; the tip where that one is not kept.
 */
export async function confirmedBlock(
  tx: Tx,
  given: { entry: Watcher['entry']; required: number; tip: BlockRef; final: BlockRef | null },
): Promise<BlockRef> {
  const { entry, tip } = given
  const height = confirmedHeight({ ...given, rule: entry.finality })
  const hash = await selectHash(tx, { chainId: entry.id, height })
  return hash === null ? tip : { height, hash }
}
