import type { ChainId } from '@sluice/wire'
import type { ChainEntry } from '../../catalogue/chains.ts'
import type { Block, BlockRef, CoinPoint } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import { type OwnCoin, pointKey } from './coin.ts'
import { selectLostOrigins, selectTakenIn, selectTakenUpTo, takeRow } from './origin-rows.ts'

const NOTHING: ReadonlySet<string> = new Set()

/**
 * The coins of strangers to look for in blocks, as texts: what the transactions spend that had
 * brought coins of ours which left the chain, while a spend of ours holds these. Of most chains, at
 * most times, there are none.
 */
export async function soughtCoins(tx: Tx, entry: ChainEntry): Promise<ReadonlySet<string>> {
  if (entry.paymentModel !== 'utxo') return NOTHING
  const origins = await selectLostOrigins(tx, entry.id)
  return new Set(origins.flatMap(({ spends }) => spends.map(pointKey)))
}

/**
 * Writes down what these blocks prove of coins that left the chain: where another transaction
 * spends what the one spends that had brought a coin, that coin cannot come back while the block
 * stands. In the commit that connects the blocks; asks nothing where nothing was found in them.
 */
export async function takeOrigins(
  tx: Tx,
  { entry, blocks }: { entry: ChainEntry; blocks: readonly Block[] },
): Promise<void> {
  const found = blocks.flatMap(({ height, hash, sought = [] }) =>
    sought.map((coin) => ({ key: pointKey(coin), by: coin.spentBy, block: { height, hash } })),
  )
  if (found.length === 0) return
  for (const { txnHash, spends } of await selectLostOrigins(tx, entry.id)) {
    const keys = new Set(spends.map(pointKey))
    const taken = found.find(({ key, by }) => by !== txnHash && keys.has(key))
    if (taken !== undefined) await takeRow(tx, { chainId: entry.id, txnHash, ...taken })
  }
}

/** The coins of ours that a block keeps from ever coming back, while it stands. */
export function coinsKeptOutBy(
  tx: Tx,
  given: { chainId: ChainId; block: BlockRef },
): Promise<CoinPoint[]> {
  return selectTakenIn(tx, given)
}

/**
 * Which of these coins can never come back, as texts: no block has them, and one at or below this
 * height has a transaction that theirs can never follow.
 */
export async function deadAmong(
  tx: Tx,
  { chainId, coins, upTo }: { chainId: ChainId; coins: readonly OwnCoin[]; upTo: number },
): Promise<ReadonlySet<string>> {
  const lost = coins.filter(({ block, lostHeight }) => block === null && lostHeight !== null)
  if (lost.length === 0) return NOTHING
  const hashes = [...new Set(lost.map(({ txnHash }) => txnHash))]
  const taken = new Set(await selectTakenUpTo(tx, { chainId, hashes, upTo }))
  return new Set(lost.filter(({ txnHash }) => taken.has(txnHash)).map(pointKey))
}
