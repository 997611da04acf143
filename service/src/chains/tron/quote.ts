import { decodeUint, encodeTransfer } from '../evm/abi.ts'
import type { Intent, Quote } from '../port.ts'
import { refuseQuote } from '../refuse-quote.ts'
import type { Refused } from '../refuse-quote.ts'
import { feeCapOf } from '../spending.ts'
import type { FeeCaps, TronTerms } from '../spending.ts'
import { toContractForm } from './address.ts'
import { readAccount, readNow, runCall } from './balance.ts'
import type { TronAccount } from './balance.ts'
import { contractOf } from './chain-ids.ts'
import { readPrices } from './prices.ts'
import type { Prices } from './prices.ts'
import { bandwidthOf } from './transaction.ts'
import type { TronNode } from './tron-node.ts'
import { readWindow } from './window.ts'

/** What a payment costs at the most, and how much of that is for energy. */
type Cost = Pick<TronTerms, 'fee' | 'feeLimit'>

/** What a token's transfer takes where none was tried: more than USDT's to a new holder. */
export const TOKEN_ENERGY = 135_000n
/** Of a transfer of a token, and of coins. */
const TOKEN_BYTES = 360n
const COIN_BYTES = 285n
const MARGIN_NUMERATOR = 12n
const MARGIN_DENOMINATOR = 10n

/**
 * Asks one node whether a payment would go through, and what it may cost at the most: bandwidth as
 * if none were free, energy as if none were lent, activation and memo. Nothing is reserved.
 * Contracts are refused as recipients of coins, since the chain takes no such transfer.
 */
export async function quoteSpend(node: TronNode, intent: Intent, caps: FeeCaps): Promise<Quote> {
  const contract = contractOf(intent.tokenId)
  const [prices, window, sender, recipient, held] = await Promise.all([
    readPrices(node),
    readWindow(node),
    readAccount(node, intent.from),
    readAccount(node, intent.to),
    contract === null ? null : readNow(node, intent.from, intent.tokenId),
  ])
  const available = contract === null ? sender.balance : (held ?? 0n)
  if (available < intent.amount) {
    const numbers = { available, required: intent.amount }
    return refuseQuote('INSUFFICIENT_BALANCE', 'the sender holds too little', numbers)
  }
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
  const bytes = bandwidthOf(intent, 0n) * prices.byte
  const net = recipient.isActivated ? bytes : larger(bytes, prices.newAccountBandwidth)
  const activation = recipient.isActivated ? 0n : prices.newAccount
  return { fee: net + activation + memoFee(intent, prices), feeLimit: 0n }
}

/** Energy as the node finds it for this very transfer, with a margin: it varies by the hour. */
async function tokenCost(
  node: TronNode,
  intent: Intent,
  { prices, caps }: { prices: Prices; caps: FeeCaps },
): Promise<Cost | Refused> {
  const contract = contractOf(intent.tokenId)
  if (contract === null) return refuseQuote('RECIPIENT_REFUSES', 'not a token of contracts', {})
  const name = 'transfer(address,uint256)'
  const data = encodeTransfer(toContractForm(intent.to), intent.amount)
  const { answer, energy, words } = await runCall(node, { from: intent.from, contract, name, data })
  // Some tokens answer false although they move: what they log is what counts, and nothing else.
  if (answer === null || (answer.length > 2 && decodeUint(answer) === null)) {
    return refuseQuote('RECIPIENT_REFUSES', `the payment would fail: ${words}`, {})
  }
  if (energy > caps.tokenGasLimit) {
    const numbers = { gas: energy, gasMax: caps.tokenGasLimit }
    return refuseQuote(
      'FEE_TOO_HIGH',
      'the payment would take more energy than one is given',
      numbers,
    )
  }
  const wide = (energy * MARGIN_NUMERATOR) / MARGIN_DENOMINATOR
  const feeLimit = wide * prices.energy
  if (feeLimit > prices.feeLimitMax) {
    const numbers = { fee: feeLimit, cap: prices.feeLimitMax }
    return refuseQuote('FEE_TOO_HIGH', 'the chain allows no such fee', numbers)
  }
  const net = bandwidthOf(intent, feeLimit) * prices.byte
  return { fee: net + feeLimit + memoFee(intent, prices), feeLimit }
}

function weigh(
  intent: Intent,
  caps: FeeCaps,
  { terms, sender }: { terms: TronTerms; sender: TronAccount },
): Quote {
  const { fee } = terms
  const cap = feeCapOf(intent, caps)
  if (fee > cap) {
    return refuseQuote('FEE_TOO_HIGH', 'the fee would be above what is allowed', { fee, cap })
  }
  const isCoins = contractOf(intent.tokenId) === null
  const required = fee + (isCoins ? intent.amount : 0n)
  if (sender.balance >= required) return { ok: true, terms }
  const numbers = { available: sender.balance, required }
  return refuseQuote('INSUFFICIENT_GAS', 'the sender cannot pay the fee', numbers)
}

function memoFee({ memo }: Intent, prices: Prices): bigint {
  return memo === null || memo === '' ? 0n : prices.memo
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
