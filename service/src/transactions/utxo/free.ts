import type { ChainId } from '@sluice/wire'
import type { Tx } from '../../store/database.ts'
import type { OwnCoin } from './coin.ts'
import { countFree, selectFree, selectUnreserved } from './coin-rows.ts'

/**
 * The coins of an organization that may be spent now: in a block of ours, credited or our own
 * change, and reserved by nobody; the largest first, at most `limit`. The sender's lock keeps them
 * free until they are reserved. A transaction that every node takes has room for fewer than 1,500
 * inputs.
 */
export function freeCoins(
  tx: Tx,
  given: { orgId: string; chainId: ChainId; limit?: number },
): Promise<OwnCoin[]> {
  return selectFree(tx, { limit: 2_000, ...given, least: 0n, order: 'largest' })
}

/** The same that hold so much at least, the smallest first: what is worth joining to one. */
export function smallestCoins(
  tx: Tx,
  given: { orgId: string; chainId: ChainId; least: bigint; limit: number },
): Promise<OwnCoin[]> {
  return selectFree(tx, { ...given, order: 'smallest' })
}

/** How many that hold so much at least may be spent now, however many that is. */
export function countFreeCoins(
  tx: Tx,
  given: { orgId: string; chainId: ChainId; least: bigint },
): Promise<number> {
  return countFree(tx, given)
}

/** All in blocks of ours that no payment of ours takes, whether they may be spent yet or not. */
export function unreservedCoins(
  tx: Tx,
  whose: { orgId: string; chainId: ChainId },
): Promise<OwnCoin[]> {
  return selectUnreserved(tx, whose)
}
