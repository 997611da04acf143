import { larger } from '../../base/amount.ts'
import type { Intent, Quote } from '../port.ts'
import type { Refused } from '../refuse-quote.ts'
import { refuseQuote, tooLittle } from '../refuse-quote.ts'
import type { FeeCaps, TronTerms } from '../spending.ts'
import type { TronAccount } from './balance.ts'
import { readAccount, readNow } from './balance.ts'
import { contractOf } from './chain-ids.ts'
import { quoteDelegation, readResources } from './energy.ts'
import type { Prices } from './prices.ts'
import { readPrices } from './prices.ts'
import { bandwidthOf } from './transaction.ts'
import type { TronNode } from './tron-node.ts'
import { TRANSFER_MARGIN, tryTransfer } from './try-transfer.ts'
import { weigh } from './weigh.ts'
import { readWindow } from './window.ts'

/** What a payment costs at the most, what its energy may cost, and how much of that is lent. */
type Cost = Pick<TronTerms, 'fee' | 'feeLimit' | 'lent'>

/** What a token's transfer takes where none was tried: more than USDT's to a new holder. */
export const TOKEN_ENERGY = 135_000n
/** Of a transfer of a token, and of coins. */
const TOKEN_BYTES = 360n
const COIN_BYTES = 285n

/**
 * Asks one node whether a payment would go through, and what it may cost at the most: bandwidth as
 * if none were free, energy as if none were staked, activation and memo; of what was lent for this
 * payment neither is counted. Nothing is reserved.
 * Contracts are refused as recipients of coins, since the chain takes no such transfer.
 */
export async function quoteSpend(node: TronNode, intent: Intent, caps: FeeCaps): Promise<Quote> {
  if (intent.delegation !== undefined) return quoteDelegation(node, intent, caps)
  const contract = contractOf(intent.tokenId)
  const [prices, window, sender, recipient, held] = await Promise.all([
    readPrices(node),
    readWindow(node),
    readAccount(node, intent.from),
    readAccount(node, intent.to),
    contract === null ? null : readNow(node, intent.from, intent.tokenId),
  ])
  if (contract !== null && (held ?? 0n) < intent.amount) return tooLittle(intent, held ?? 0n)
  if (contract === null && recipient.isContract) {
    return refuseQuote('RECIPIENT_REFUSES', 'coins cannot be sent to a contract', {})
  }
  const cost =
    contract === null
      ? coinCost(intent, prices, recipient)
      : await tokenCost(node, intent, { prices, caps })
  if ('ok' in cost) return cost
  return weigh(intent, caps, { terms: { family: 'tron', ...cost, ...window }, sender })
}

/** The most that one transfer costs, of coins to a new address or of a token to a new holder. */
export function plainFee(prices: Prices, { isCoins }: { isCoins: boolean }): bigint {
  if (!isCoins) return TOKEN_BYTES * prices.byte + TOKEN_ENERGY * prices.energy
  return larger(COIN_BYTES * prices.byte, prices.newAccountBandwidth) + prices.newAccount
}

function coinCost(intent: Intent, prices: Prices, recipient: TronAccount): Cost {
  // A sweep sends what it left for the fee too where that is less: its amount may be longer then.
  const amount = intent.amount + plainFee(prices, { isCoins: true })
  const bytes = bandwidthOf({ ...intent, amount }, 0n) * prices.byte
  const net = recipient.isActivated ? bytes : larger(bytes, prices.newAccountBandwidth)
  const activation = recipient.isActivated ? 0n : prices.newAccount
  return { fee: net + activation + memoFee(intent, prices), feeLimit: 0n, lent: 0n }
}

/** Energy as the node finds it for this very transfer, with a margin; what is lent is free. */
async function tokenCost(
  node: TronNode,
  intent: Intent,
  { prices, caps }: { prices: Prices; caps: FeeCaps },
): Promise<Cost | Refused> {
  const [tried, its] = await Promise.all([tryTransfer(node, intent), resourcesFor(node, intent)])
  if (!tried.ok) {
    // It was asked for before, maybe of another machine behind the same URL: is the money there?
    const held = (await readNow(node, intent.from, intent.tokenId)) ?? 0n
    if (held < intent.amount) return tooLittle(intent, held)
    return refuseQuote('RECIPIENT_REFUSES', tried.words, {})
  }
  const { energy } = tried
  if (energy > caps.tokenGasLimit) {
    const numbers = { gas: energy, gasMax: caps.tokenGasLimit }
    const says = 'the payment would take more energy than one is given'
    return refuseQuote('FEE_TOO_HIGH', says, numbers)
  }
  const wide = (energy * TRANSFER_MARGIN.by) / TRANSFER_MARGIN.of
  const feeLimit = wide * prices.energy
  if (feeLimit > prices.feeLimitMax) {
    const numbers = { fee: feeLimit, cap: prices.feeLimitMax }
    return refuseQuote('FEE_TOO_HIGH', 'the chain allows no such fee', numbers)
  }
  const bytes = bandwidthOf(intent, feeLimit)
  const net = its.bytes >= bytes ? 0n : bytes * prices.byte
  const lent = its.energy < wide ? its.energy : wide
  const fee = net + feeLimit - lent * prices.energy + memoFee(intent, prices)
  return { fee, feeLimit, lent }
}

/** Energy that was lent for this payment and is there; bandwidth that is this payment's alone. */
async function resourcesFor(
  node: TronNode,
  { lent, from }: Intent,
): Promise<{ energy: bigint; bytes: bigint }> {
  if (lent === undefined) return { energy: 0n, bytes: 0n }
  const { energy, bytes } = await readResources(node, from)
  return {
    energy: energy < lent.energy ? energy : lent.energy,
    bytes: lent.alone ? bytes : 0n,
  }
}

function memoFee({ memo }: Intent, prices: Prices): bigint {
  return memo === null || memo === '' ? 0n : prices.memo
}
