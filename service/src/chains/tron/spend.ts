import type { ChainId } from '@sluice/wire'
import { assertOnChain } from '../asked-chain.ts'
import { broadcastTo } from '../broadcast.ts'
import type { Failover } from '../failover.ts'
import type { WindowPayments } from '../chain-adapter.ts'
import { tronTermsOf } from '../spending.ts'
import { readAccount } from './balance.ts'
import { contractOf } from './chain-ids.ts'
import { offerEnergy } from './energy.ts'
import { findFate } from './fate.ts'
import { readPrices } from './prices.ts'
import { plainFee, quoteSpend } from './quote.ts'
import { sendRaw } from './send.ts'
import { combineTransaction, craftTransaction, decodeTransaction } from './transaction.ts'
import type { TronNode } from './tron-node.ts'
import { readRate, windowAfter } from './window.ts'

/** Spending on a TRON chain, by its nodes. */
export function openSpending(chainId: ChainId, failover: Failover<TronNode>): WindowPayments {
  return {
    paymentModel: 'window',
    quote: (intent, caps) => {
      assertOnChain(chainId, intent)
      return failover.use((node) => quoteSpend(node, intent, caps))
    },
    feeRate: () => failover.use((node) => readRate(node)),
    feeEstimate: (tokenId) =>
      failover.use(async (node) =>
        plainFee(await readPrices(node), { isCoins: contractOf(tokenId) === null }),
      ),
    craft: (intent, terms, reservation) => {
      assertOnChain(chainId, intent)
      return craftTransaction(intent, terms, reservation)
    },
    combine: combineTransaction,
    decode: (raw) => decodeTransaction(chainId, raw),
    // Nodes take no replacement: a new transaction follows when the last one has expired.
    bump: (previous, rate) => windowAfter(tronTermsOf(previous), tronTermsOf(rate)),
    rateNamed: () => null,
    broadcast: (raw) => broadcastTo(failover, (node) => sendRaw(node, raw)),
    isContract: (address) =>
      failover.use(async (node) => (await readAccount(node, address)).isContract),
    fate: (spent) => failover.use((node) => findFate(failover, node, spent)),
    offerEnergy: (ask) => {
      assertOnChain(chainId, ask.intent)
      return failover.use((node) => offerEnergy(node, ask))
    },
  }
}
