import type { RowVerifier } from '../accounts/row-mac.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { Block } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import { ownTransactions } from '../transactions/core/own.ts'
import { gainCoins, spendCoins, takeOrigins } from '../transactions/utxo/follow-coins.ts'

/**
 * Follows the coins of ours through blocks, in the commit that connects them or reads them again:
 * what they bring, what they spend, whoever signed it, and what that was lost they keep from coming
 * back. Before our own spends are followed, which ask what was spent.
 */
export async function trackCoins(
  tx: Tx,
  given: { serviceKey: RowVerifier; entry: ChainEntry; blocks: readonly Block[] },
): Promise<void> {
  const { entry, blocks } = given
  await gainCoins(tx, given, async (hashes) => {
    const own = await ownTransactions(tx, entry.id, hashes)
    return new Map([...own].map(([txnHash, { orgId }]) => [txnHash, orgId]))
  })
  await spendCoins(tx, { entry, blocks })
  await takeOrigins(tx, { entry, blocks })
}
