import { assert } from '../../base/assert.ts'
import type { ChainEntry } from '../../catalogue/chains.ts'
import type { Block } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import { type SpentCoin, spendRows } from './chain-rows.ts'
import { pointKey } from './coin.ts'
import { selectAt } from './coin-rows.ts'

/**
 * Marks the coins of ours that transactions of these blocks spend, whoever signed them, in the
 * commit that connects the blocks and after what they brought: a coin may come and go in one block.
 * To read one twice changes nothing.
 */
export async function spendCoins(
  tx: Tx,
  { entry, blocks }: { entry: ChainEntry; blocks: readonly Block[] },
): Promise<void> {
  if (entry.paymentModel !== 'utxo') return
  const seen = new Map(blocks.flatMap(spentIn).map((coin) => [pointKey(coin), coin]))
  if (seen.size === 0) return
  const chainId = entry.id
  const coins: SpentCoin[] = []
  for (const { spent: before, ...coin } of await selectAt(tx, {
    chainId,
    points: [...seen.values()],
  })) {
    const now = seen.get(pointKey(coin))
    assert(now, 'a coin that was not asked for', { coin })
    const isElsewhere = before !== null && before.hash !== now.spent.hash
    assert(!isElsewhere, 'a coin spent in two blocks', { coin, before, now })
    if (before === null) coins.push(now)
  }
  if (coins.length > 0) await spendRows(tx, { chainId, coins })
}

function spentIn({ height, hash, transactions }: Block): SpentCoin[] {
  return transactions.flatMap(({ txnHash, spends = [] }) =>
    spends.map((point) => ({ ...point, spent: { height, hash, txnHash } })),
  )
}
