import { recountDeposits } from '../deposits/recount.ts'
import { assertLease } from '../store/lease.ts'
import type { Holder } from './watcher.ts'

/**
 * Counts again what waits below a minimum, once in a term: minimums change with the configuration
 * alone, and that is read at the start.
 */
export async function recount({ database, lease, catalogue, entry, log }: Holder): Promise<void> {
  const chainId = entry.id
  for (;;) {
    const moved = await database.transaction(async (tx) => {
      await assertLease(tx, lease)
      return recountDeposits(tx, { catalogue, chainId })
    })
    if (moved === 0) return
    log.info({ chainId, deposits: moved }, 'deposits reach a minimum that was lowered')
  }
}
