import type { ChainId } from '@sluice/wire'
import { assert } from '../../base/assert.ts'
import type { Transfer } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import { creditRows } from './chain-rows.ts'
import { pointOf } from './coin.ts'

/**
 * Lets what came from outside be spent, in the commit that credits it. Arrivals that are no outputs
 * are nothing here. A credited output that stands in no block of ours is a Bug.
 */
export async function creditCoins(
  tx: Tx,
  given: { chainId: ChainId; arrivals: readonly Pick<Transfer, 'txnHash' | 'position'>[] },
): Promise<void> {
  const { chainId, arrivals } = given
  const points = arrivals.filter(({ position }) => position.startsWith('out:')).map(pointOf)
  if (points.length === 0) return
  const credited = await creditRows(tx, { chainId, points })
  assert(credited === points.length, 'a credited output is no coin', { chainId, points, credited })
}
