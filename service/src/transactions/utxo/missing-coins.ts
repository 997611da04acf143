import type { ChainId } from '@sluice/wire'
import type { Tx } from '../../store/database.ts'
import { selectSpend } from '../core/spend-rows.ts'
import { selectSpendIds } from '../core/transaction-rows.ts'
import { coinsAt } from './coin-rows.ts'
import { type OwnCoin, pointKey } from './coin.ts'
import { selectInputs } from './input-rows.ts'

/** Inputs of a transaction that are unavailable. */
export interface Missing {
  /** Inputs not worth waiting for, as `pointKey` texts: a replacement does without them. */
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
 * Finds unavailable inputs of an unmined transaction: spent by others or removed by a reorg. Our
 * own change returns with its transaction, while that one waits with all its inputs. An unavailable
 * input may return later: it only decides what a replacement spends.
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
