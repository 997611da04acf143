import type { ChainId } from '@sluice/wire'
import { assert } from '../../base/assert.ts'
import { Outage } from '../../base/fault.ts'
import type { Coin } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import { lockCoins } from './coin-rows.ts'
import { isFree, pointKey } from './coin.ts'
import { insertForeseen, reserveRows } from './reserve-rows.ts'

/** Coins for one spend. */
interface Reservation {
  orgId: string
  chainId: ChainId
  spendId: string
  coins: readonly Coin[]
}

/**
 * Reserves coins for a spend. Call it under the lock of the signing sender. A coin that is
 * reserved, of another organization or of another amount is a Bug; one that a block or a reorg
 * removed since it was chosen is an Outage: the caller rolls back and chooses again.
 */
export async function reserveCoins(
  tx: Tx,
  { orgId, chainId, spendId, coins }: Reservation,
): Promise<void> {
  if (coins.length === 0) return
  const locked = await lockCoins(tx, { chainId, points: coins })
  const standing = new Map(locked.map((coin) => [pointKey(coin), coin]))
  for (const coin of coins) {
    const now = standing.get(pointKey(coin))
    const isSame =
      now?.orgId === orgId && now.address === coin.address && now.amount === coin.amount
    const isOurs = isSame && now.spendId === null
    assert(isOurs, 'coin is not free', { coin, now, spendId })
    if (!isFree(now))
      throw new Outage(chainId, `${pointKey(coin)} became unavailable while it was chosen`)
  }
  const reserved = await reserveRows(tx, { chainId, spendId, points: coins })
  assert(reserved === coins.length, 'coin is reserved already', { spendId, reserved })
}

/**
 * Reserves, for a spend, what another transaction of ours is going to return to us and no block has
 * yet: for the child that pays for its parent. One that is known and reserved already is a Bug.
 */
export async function reserveForeseen(
  tx: Tx,
  foreseen: { orgId: string; chainId: ChainId; spendId: string; coin: Coin },
): Promise<void> {
  const inserted = await insertForeseen(tx, foreseen)
  assert(inserted, 'change is reserved already', { ...foreseen.coin })
}
