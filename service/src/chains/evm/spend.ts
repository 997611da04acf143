import type { TokenId } from '@sluice/wire'
import { assertOnChain } from '../asked-chain.ts'
import { broadcastTo } from '../broadcast.ts'
import type { Failover } from '../failover.ts'
import type { JsonRpc } from '../json-rpc.ts'
import type { NoncePayments } from '../chain-adapter.ts'
import type { ChainOptions } from '../options.ts'
import { priceOf } from '../spending.ts'
import { contractOf } from './block.ts'
import { findFate } from './fate.ts'
import { bumpTerms, rateOf } from './fees.ts'
import { rateNamed } from './named-price.ts'
import { quoteSpend } from './quote.ts'
import { isContract, readNonce, readPrices, sendRaw } from './spending-node.ts'
import { combineTransaction, craftTransaction, decodeTransaction } from './transaction.ts'
import { PLAIN_GAS, TOKEN_GAS } from './try-payment.ts'

/** Spending on an EVM chain, by its nodes. */
export function openSpending(
  { chainId, tipFloor = 0n }: Pick<ChainOptions, 'chainId' | 'tipFloor'>,
  failover: Failover<JsonRpc>,
): NoncePayments {
  const feeRate = () => failover.use(async (rpc) => rateOf(await readPrices(rpc, tipFloor)))
  return {
    paymentModel: 'nonce',
    quote: (intent, caps) => {
      assertOnChain(chainId, intent)
      return failover.use((rpc) => quoteSpend(rpc, intent, { caps, tipFloor }))
    },
    feeRate,
    feeEstimate: async (tokenId) => gasFor(tokenId) * priceOf(await feeRate()),
    craft: (intent, terms, reservation) => {
      assertOnChain(chainId, intent)
      return craftTransaction(intent, terms, reservation)
    },
    combine: combineTransaction,
    decode: decodeTransaction,
    bump: bumpTerms,
    rateNamed,
    broadcast: (raw) => broadcastTo(failover, (rpc) => sendRaw(rpc, raw)),
    nonces: (address) =>
      failover.use(async (rpc) => {
        const latest = await readNonce(rpc, address, 'latest')
        const pending = await readNonce(rpc, address, 'pending')
        return { latest, pending: Math.max(latest, pending) }
      }),
    isContract: (address) => failover.use((rpc) => isContract(rpc, address)),
    fate: (spent) => failover.use((rpc) => findFate(failover, rpc, spent)),
  }
}

function gasFor(tokenId: TokenId): bigint {
  return contractOf(tokenId) === null ? PLAIN_GAS : TOKEN_GAS
}
