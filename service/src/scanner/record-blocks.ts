import type { Block } from '../chains/port.ts'
import type { Immediate } from '../deposits/confirm-immediately.ts'
import { type Detected, detectTransfers } from '../deposits/detect.ts'
import { dropChange } from '../deposits/orphan.ts'
import type { Tx } from '../store/database.ts'
import { ownTransactions } from '../transactions/core/own.ts'
import { trackSpends } from '../transactions/track.ts'
import { gainCoins, spendCoins, takeOrigins } from '../transactions/utxo/follow-coins.ts'
import type { Watcher } from './watcher.ts'

/**
 * Records everything of ours in these blocks, in the commit that connects or rescans them:
 * transfers from outside, unspent outputs, and our own spends last, since a block may spend what it
 * brings.
 */
export async function recordBlocks(
  tx: Tx,
  watcher: Watcher,
  {
    blocks,
    immediate = null,
    onDetected,
  }: { blocks: readonly Block[]; immediate?: Immediate | null; onDetected?: () => void },
): Promise<Detected> {
  const { serviceKey, catalogue, entry, hooks, crash } = watcher
  const reading = { serviceKey, catalogue, entry, blocks }
  const detected = await detectTransfers(tx, reading, immediate)
  await gainCoins(tx, reading, async (hashes) => {
    const own = await ownTransactions(tx, entry.id, hashes)
    return new Map([...own].map(([txnHash, { orgId }]) => [txnHash, orgId]))
  })
  await spendCoins(tx, { entry, blocks })
  await takeOrigins(tx, { entry, blocks })
  onDetected?.()
  await trackSpends(tx, { entry, blocks, hooks, crash })
  await dropChange(tx, { entry, fundings: detected.fundings })
  return detected
}
