import { readChainState } from '../catalogue/chain-state.ts'
import { recountDeposits } from '../deposits/recount.ts'
import { assertLease } from '../store/lease.ts'
import type { Holder } from './watcher.ts'

/**
 * Counts again what waits below a minimum, once in a term: minimums change with the configuration
 * alone, and that is read at the start. Only on a chain that runs, since nothing is asked of what
 * moved before it is credited, and its token may be suspended until then. Answers whether all of it
 * was counted.
 */
export async function recount(holder: Holder): Promise<boolean> {
  const { database, lease, catalogue, entry, log } = holder
  const chainId = entry.id
  for (;;) {
    const moved = await database.transaction(async (tx) => {
      await assertLease(tx, lease)
      if ((await readChainState(tx, chainId))?.condition !== 'running') return null
      return recountDeposits(tx, { catalogue, chainId })
    })
    if (moved === null || moved === 0) return moved === 0
    log.info({ chainId, deposits: moved }, 'deposits reach a minimum that was lowered')
  }
}
