import type { ChainId } from '@sluice/wire'
import type { Tx } from '../../store/database.ts'
import { selectSpend } from '../core/spend-rows.ts'
import { selectSpendIds } from '../core/transaction-rows.ts'
import { coinsAt } from './coin-rows.ts'
import { type OwnCoin, pointKey } from './coin.ts'
import { selectInputs } from './input-rows.ts'

/** What of the coins of a transaction is not there to be spent. */
export interface Missing {
  /** Those that are not to be waited for, as texts: a replacement is to do without them. */
  gone: ReadonlySet<string>
  /** Whether any may be back before long. */
  isWaiting: boolean
}

interface Looking {
  chainId: ChainId
  /** Our tip. */
  height: number
  /** Blocks for which a coin that left the chain is waited for. */
  patience: number
}

/**
 * Looks which coins of a transaction that no block has are not there: spent by somebody, or left
 * behind by a reorg. One of our own comes back with the transaction that returned it, for as long
 * as that one waits itself and lacks nothing. What is gone here may be there again tomorrow:
 * nothing is decided by it but what a replacement is made of.
 */
export async function missingAmong(
  tx: Tx,
  { coins, ...looking }: Looking & { coins: readonly OwnCoin[] },
): Promise<Missing> {
  const gone = new Set<string>()
  let isWaiting = false
  for (const coin of coins) {
    const standing = await standingOf(tx, coin, looking)
    if (standing === 'gone') gone.add(pointKey(coin))
    isWaiting ||= standing === 'waiting'
  }
  return { gone, isWaiting }
}

async function standingOf(
  tx: Tx,
  coin: OwnCoin,
  looking: Looking,
): Promise<'there' | 'waiting' | 'gone'> {
  if (coin.spent !== null) return 'gone'
  if (coin.block !== null) return 'there'
  const { chainId, height, patience } = looking
  const { txnHash } = coin
  const key = (await selectSpendIds(tx, { chainId, hashes: [txnHash] })).get(txnHash)
  if (key === undefined) {
    return height - (coin.lostHeight ?? 0) >= patience ? 'gone' : 'waiting'
  }
  const spend = await selectSpend(tx, key)
  if (spend?.state !== 'Sent' || spend.txnHash !== txnHash) return 'gone'
  const inputs = await selectInputs(tx, [key])
  const points = inputs.filter(({ spentBy }) => spentBy === txnHash)
  const coins = await coinsAt(tx, { chainId, points })
  const missing = await missingAmong(tx, { ...looking, coins })
  if (missing.gone.size > 0) return 'gone'
  return missing.isWaiting ? 'waiting' : 'there'
}
