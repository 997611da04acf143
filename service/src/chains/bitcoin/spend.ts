import type { ChainId, TokenId } from '@sluice/wire'
import { assert } from '../../base/assert.ts'
import { broadcastTo } from '../broadcast.ts'
import type { Failover } from '../failover.ts'
import type { JsonRpc } from '../json-rpc.ts'
import type { UtxoPayments } from '../chain-adapter.ts'
import { coinsOf } from '../reservation.ts'
import { coinTermsOf, maxFeeOf } from '../spending.ts'
import { chooseAll, chooseChild, chooseCoins, leastToJoin } from './choose.ts'
import { decodeTransaction } from './decode.ts'
import { findFate } from './fate.ts'
import { bumpTerms, rateOf } from './fees.ts'
import { rateNamed } from './named-price.ts'
import { quoteSpend } from './quote.ts'
import { feeFor, vsizeOf } from './size.ts'
import { areUnspent, readPrices, sendRaw } from './spending-node.ts'
import { combineTransaction, craftTransaction } from './transaction.ts'
import { arePooled, areWaiting } from './waiting.ts'

/** A plain payment: two coins, the recipient, the change. */
const PLAIN_INPUTS = ['p2wpkh', 'p2wpkh'] as const
const PLAIN_OUTPUTS = [{ script: Buffer.alloc(34) }, { script: Buffer.alloc(22) }]

/** Payments with unspent outputs. */
export function openSpending(
  native: { chainId: ChainId; tokenId: TokenId },
  failover: Failover<JsonRpc>,
): UtxoPayments {
  const { chainId } = native
  const readRate = () =>
    failover.use(async (rpc) => {
      const { estimate, floor } = await readPrices(rpc)
      return rateOf(estimate, floor)
    })
  return {
    paymentModel: 'utxo',
    quote: (intent, caps) => {
      checkPayment(native, intent)
      return failover.use(async (rpc) => quoteSpend(await readPrices(rpc), intent, caps))
    },
    feeRate: readRate,
    feeEstimate: async () =>
      feeFor(vsizeOf(PLAIN_INPUTS, PLAIN_OUTPUTS), (await readRate()).perKvb),
    craft: (intent, terms, reservation) => {
      checkPayment(native, intent)
      return craftTransaction(intent, coinsOf(reservation), { maxFee: maxFeeOf(terms) })
    },
    choose: (intent, terms, offer) => chooseCoins(intent, coinTermsOf(terms), offer),
    chooseChild: (terms, offer) => chooseChild(chainId, coinTermsOf(terms), offer),
    chooseAll: (terms, offer) => chooseAll(chainId, coinTermsOf(terms), offer),
    leastToJoin: (terms, among) => leastToJoin(chainId, coinTermsOf(terms), among),
    combine: combineTransaction,
    decode: (raw, coins) => decodeTransaction(native, raw, coins ?? null),
    bump: bumpTerms,
    rateNamed,
    broadcast: (raw) => broadcastTo(failover, (rpc) => sendRaw(rpc, raw)),
    fate: (spent) => failover.use((rpc) => findFate(rpc, spent)),
    unspent: (coins) => failover.use((rpc) => areUnspent(rpc, coins)),
    waiting: (hashes) => areWaiting(failover, hashes),
    pooled: (coins) => arePooled(failover, coins),
  }

  function checkPayment(
    { tokenId }: { tokenId: TokenId },
    intent: { chainId: ChainId; tokenId: TokenId },
  ): void {
    const isOurs = intent.chainId === chainId && intent.tokenId === tokenId
    assert(isOurs, 'a payment on another chain', { chainId, asked: intent.tokenId })
  }
}
