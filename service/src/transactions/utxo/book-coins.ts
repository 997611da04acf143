import type { ChainId, TokenId } from '@sluice/wire'
import type { Address } from '../../chains/port.ts'
import { post } from '../../ledger/post.ts'
import type { Posting } from '../../ledger/posting.ts'
import { reversalOf, swept } from '../../ledger/spend-postings.ts'
import type { Tx } from '../../store/database.ts'
import type { Spend } from '../core/spend.ts'
import { coinsSpentBy } from './coin-rows.ts'

/** A transaction of ours in a block, which has spent coins of its organization. */
export interface CoinSpend {
  orgId: string
  chainId: ChainId
  /** The native currency. */
  tokenId: TokenId
  spendId: string
  txnHash: string
  /** The settlement address of the organization. */
  settlement: Address
  block: { height: number }
}

/**
 * Posts that a payment took coins from deposit addresses through the settlement account. Call it
 * before posting payments and fee, which come out of that account; change posts nothing.
 */
export async function bookCoinSpend(tx: Tx, spend: CoinSpend): Promise<void> {
  await post(tx, await postingsOf(tx, spend))
}

/** Takes that back, after payments and fee were given back, while the coins are still spent. */
export async function unbookCoinSpend(tx: Tx, spend: CoinSpend): Promise<void> {
  const postings = await postingsOf(tx, spend)
  await post(tx, postings.map(reversalOf))
}

async function postingsOf(
  tx: Tx,
  { orgId, chainId, tokenId, spendId, txnHash, settlement: to, block }: CoinSpend,
): Promise<Posting[]> {
  const coins = await coinsSpentBy(tx, { chainId, hashes: [txnHash] })
  const taken = new Map<Address, bigint>()
  for (const { address, amount, place } of coins.filter((coin) => coin.orgId === orgId)) {
    if (place === 'deposits') taken.set(address, (taken.get(address) ?? 0n) + amount)
  }
  return [...taken].map(([from, amount]) => {
    const whose = { orgId, chainId, tokenId, amount, referenceId: spendId }
    return swept({ ...whose, blockHeight: block.height }, { from, to })
  })
}

/** The arguments of `bookCoinSpend` for an included spend. */
export function coinSpendOf(spend: Spend, tokenId: TokenId, block: { height: number }) {
  const { orgId, chainId, id: spendId, txnHash, sender: settlement } = spend
  return { orgId, chainId, tokenId, spendId, txnHash, settlement, block }
}
