import type { ChainId } from '@sluice/wire'
import type { CoinPoint } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import { type OwnCoin, pointKey } from './coin.ts'
import { selectAt, selectOfSpend, selectSpentBy } from './coin-rows.ts'

/** The coins that are reserved for a spend, for any of its transactions, by their keys. */
export function coinsOf(tx: Tx, spend: { orgId: string; spendId: string }): Promise<OwnCoin[]> {
  return selectOfSpend(tx, spend)
}

/** Those of these outputs that are ours, whosesoever, each once, in the order of their keys. */
export function coinsAt(
  tx: Tx,
  given: { chainId: ChainId; points: readonly CoinPoint[] },
): Promise<OwnCoin[]> {
  const points = [...new Map(given.points.map((point) => [pointKey(point), point])).values()]
  return points.length === 0 ? Promise.resolve([]) : selectAt(tx, { ...given, points })
}

/** The coins of ours that these transactions of our blocks have spent, by their keys. */
export function coinsSpentBy(
  tx: Tx,
  given: { chainId: ChainId; hashes: readonly string[] },
): Promise<OwnCoin[]> {
  return given.hashes.length === 0 ? Promise.resolve([]) : selectSpentBy(tx, given)
}
