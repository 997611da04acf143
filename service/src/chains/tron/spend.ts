import type { ChainId } from '@sluice/wire'
import { assert } from '../../base/assert.ts'
import { broadcastTo } from '../broadcast.ts'
import type { Failover } from '../failover.ts'
import type { ChainAdapter } from '../port.ts'
import { tronRateOf, tronTermsOf } from '../spending.ts'
import { readAccount } from './balance.ts'
import { contractOf } from './chain-ids.ts'
import { findFate } from './fate.ts'
import { readPrices } from './prices.ts'
import { plainFee, quoteSpend } from './quote.ts'
import { sendRaw } from './send.ts'
import { combineTransaction, craftTransaction, decodeTransaction } from './transaction.ts'
import type { TronNode } from './tron-node.ts'
import { readRate, windowAfter } from './window.ts'

/** The part of the port that spends. */
export type Spending = Pick<
  ChainAdapter,
  | 'quote'
  | 'feeRate'
  | 'feeEstimate'
  | 'craft'
  | 'combine'
  | 'decode'
  | 'bump'
  | 'broadcast'
  | 'nonces'
  | 'fate'
  | 'isContract'
  | 'requiresTag'
  | 'choose'
>

/** Spending on a TRON chain, by its nodes. */
export function openSpending(chainId: ChainId, failover: Failover<TronNode>): Spending {
  return {
    quote: (intent, caps) => {
      checkChain(chainId, intent)
      return failover.use((node) => quoteSpend(node, intent, caps))
    },
    feeRate: () => failover.use((node) => readRate(node)),
    feeEstimate: (tokenId) =>
      failover.use(async (node) =>
        plainFee(await readPrices(node), { isCoins: contractOf(tokenId) === null }),
      ),
    craft: (intent, terms, reservation) => {
      checkChain(chainId, intent)
      return craftTransaction(intent, terms, reservation)
    },
    combine: combineTransaction,
    decode: (raw) => decodeTransaction(chainId, raw),
    // No dearer one takes the place of another here; a new one follows when the last has expired.
    bump: (previous, rate) => windowAfter(tronTermsOf(previous), tronRateOf(rate)),
    broadcast: async (raw) => {
      const nodes = await failover.use(async (node) => [node, ...failover.others(node)])
      return broadcastTo(nodes, (node) => sendRaw(node, raw))
    },
    // The chain counts nobody's transactions.
    nonces: async () => ({ latest: 0, pending: 0 }),
    fate: (spent) => failover.use((node) => findFate(node, failover.others(node), spent)),
    isContract: (address) =>
      failover.use(async (node) => (await readAccount(node, address)).isContract),
    choose: () => null,
    requiresTag: async () => false,
  }
}

function checkChain(chainId: ChainId, intent: { chainId: ChainId }): void {
  assert(intent.chainId === chainId, 'a payment on another chain', {
    chainId,
    asked: intent.chainId,
  })
}
