import { larger } from '../../base/amount.ts'
import { Doubt } from '../doubt.ts'
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

/** The highest cost of a payment, the cost of its energy, and the lent part of that. */
type Cost = Pick<TronTerms, 'fee' | 'feeLimit' | 'lent'>

/** Energy of a token transfer that was not simulated: more than USDT needs for a new holder. */
const TOKEN_ENERGY = 135_000n
/** Simulations that must also fail before a payment is refused. */
const REPEATS = 2
/** For a transfer of a token, and of coins. */
const TOKEN_BYTES = 360n
const COIN_BYTES = 285n

/**
 * Queries one node whether a payment would succeed and its highest cost: bandwidth as if none were
 * free, energy as if none were staked, activation and memo. Energy lent for this payment is free.
 * Reserves no amount. Contracts are refused as recipients of coins, since the chain refuses such
 * transfers.
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

/** The highest cost of one transfer, of coins to a new address or of a token to a new holder. */
export function plainFee(prices: Prices, { isCoins }: { isCoins: boolean }): bigint {
  if (!isCoins) return TOKEN_BYTES * prices.byte + TOKEN_ENERGY * prices.energy
  return larger(COIN_BYTES * prices.byte, prices.newAccountBandwidth) + prices.newAccount
}

function coinCost(intent: Intent, prices: Prices, recipient: TronAccount): Cost {
  // A sweep also sends what it kept for the fee if that is lower: its amount may then have more
  // bytes.
  const amount = intent.amount + plainFee(prices, { isCoins: true })
  const bytes = bandwidthOf({ ...intent, amount }, 0n) * prices.byte
  const net = recipient.isActivated ? bytes : larger(bytes, prices.newAccountBandwidth)
  const activation = recipient.isActivated ? 0n : prices.newAccount
  return { fee: net + activation + memoFee(intent, prices), feeLimit: 0n, lent: 0n }
}

/** The energy that the node finds for this transfer, with a margin; lent energy is free. */
async function tokenCost(
  node: TronNode,
  intent: Intent,
  { prices, caps }: { prices: Prices; caps: FeeCaps },
): Promise<Cost | Refused> {
  const [tried, its] = await Promise.all([tryTransfer(node, intent), resourcesFor(node, intent)])
  if (!tried.ok) return confirmRefusal(node, intent, tried.words)
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

/**
 * Each request is answered at the head of a machine, and another one behind the same URL may lag
 * behind the deposit that the payment spends. A failure counts only if it is repeated while the
 * money is there; otherwise it is a Doubt.
 */
async function confirmRefusal(node: TronNode, intent: Intent, words: string): Promise<Refused> {
  for (let again = 0; again < REPEATS; again += 1) {
    const held = (await readNow(node, intent.from, intent.tokenId)) ?? 0n
    if (held < intent.amount) return tooLittle(intent, held)
    const tried = await tryTransfer(node, intent)
    if (tried.ok)
      throw new Doubt(node.name, 'a payment fails in one simulation, and not in another')
  }
  return refuseQuote('RECIPIENT_REFUSES', words, {})
}

/**
 * Energy that was lent for this payment and is available; bandwidth belongs to this payment only.
 */
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
