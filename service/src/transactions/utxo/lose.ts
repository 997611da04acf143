import type { ChainEntry } from '../../catalogue/chains.ts'
import type { BlockRef } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import { loseRows, unspendRows } from './chain-rows.ts'
import { untakeRows } from './origin-rows.ts'

/**
 * Takes back what a block that left the chain had shown of coins: what it had spent is unspent,
 * what it had brought has no block, and what it kept from coming back may come. Whatever is
 * reserved stays so: the transactions that spend it may still be included. After our own spends and
 * what came in were undone.
 */
export async function loseCoins(
  tx: Tx,
  { entry, block }: { entry: ChainEntry; block: BlockRef },
): Promise<void> {
  if (entry.paymentModel !== 'utxo') return
  const at = { chainId: entry.id, block }
  await unspendRows(tx, at)
  await loseRows(tx, at)
  await untakeRows(tx, at)
}
