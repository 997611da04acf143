import type { JsonRpc } from '../json-rpc.ts'
import type { Intent, Quote } from '../port.ts'
import { type Refused, refuseQuote, tooLittle } from '../refuse-quote.ts'
import { feeCapOf, maxFeeOf } from '../spending.ts'
import type { FeeCaps, Terms } from '../spending.ts'
import { readBalanceAt } from './balance.ts'
import { contractOf } from './block.ts'
import { type Prices, termsWithin } from './fees.ts'
import { readNativeBalance } from './node.ts'
import { hasCode, readPrices } from './spending-node.ts'
import { PLAIN_GAS, type Prospect, TOO_MUCH_GAS, tryPayment } from './try-payment.ts'

const MARGIN_NUMERATOR = 12n
const MARGIN_DENOMINATOR = 10n

/**
 * Queries one node whether a payment would succeed and its cost; reserves nothing. The calls are
 * made from the real sender, at the head. Refusals as in `QuoteRefusal`; W16, W17.
 */
export async function quoteSpend(
  rpc: JsonRpc,
  intent: Intent,
  { caps, tipFloor }: { caps: FeeCaps; tipFloor: bigint },
): Promise<Quote> {
  const contract = contractOf(intent.tokenId)
  const [prices, native, held, runsCode] = await Promise.all([
    readPrices(rpc, tipFloor),
    readNativeBalance(rpc, intent.from, 'latest'),
    contract === null ? null : readHeld(rpc, intent),
    contract === null ? hasCode(rpc, intent.to) : true,
  ])
  const available = held ?? native
  if (available < intent.amount) {
    // Later deposits do not lower the fee, which is at least that of a plain transfer.
    const cap = feeCapOf(intent, caps)
    const isPayable = termsWithin(prices, PLAIN_GAS, cap) !== null
    return isPayable ? tooLittle(intent, available) : feeTooHigh(prices, PLAIN_GAS, cap)
  }
  const prospect = { intent, caps, prices, native, runsCode }
  const tried = await tryPayment(rpc, prospect)
  return typeof tried === 'bigint' ? priceOut(prospect, tried) : tried
}

/** The sender's balance of the token; zero if the contract does not answer. */
async function readHeld(rpc: JsonRpc, { from, tokenId }: Intent): Promise<bigint> {
  return (await readBalanceAt(rpc, from, tokenId, 'latest')) ?? 0n
}

function priceOut({ intent, caps, prices, native, runsCode }: Prospect, gas: bigint): Quote {
  const isNative = contractOf(intent.tokenId) === null
  const gasMax = isNative ? caps.gasLimit : caps.tokenGasLimit
  if (gas > gasMax) {
    const code = isNative && runsCode ? 'RECIPIENT_REFUSES' : 'FEE_TOO_HIGH'
    return refuseQuote(code, TOO_MUCH_GAS, { gas, gasMax })
  }
  const gasLimit = gas === PLAIN_GAS ? gas : withMargin(gas, gasMax)
  const cap = feeCapOf(intent, caps)
  const terms = termsWithin(prices, gasLimit, cap)
  if (terms === null) return feeTooHigh(prices, gasLimit, cap)
  return checkGas(terms, { available: native, amount: isNative ? intent.amount : 0n })
}

function feeTooHigh(prices: Prices, gasLimit: bigint, cap: bigint): Refused {
  const fee = gasLimit * ((prices.baseFee ?? 0n) + prices.tip)
  return refuseQuote('FEE_TOO_HIGH', 'the fee would be above what is allowed', { fee, cap })
}

function checkGas(
  terms: Terms,
  { available, amount }: { available: bigint; amount: bigint },
): Quote {
  const required = amount + maxFeeOf(terms)
  if (available >= required) return { ok: true, terms }
  return refuseQuote('INSUFFICIENT_GAS', 'the sender cannot pay the fee', { available, required })
}

/** An estimate may be slightly too low by the time of the block. */
function withMargin(gas: bigint, gasMax: bigint): bigint {
  const wide = (gas * MARGIN_NUMERATOR) / MARGIN_DENOMINATOR
  return wide < gasMax ? wide : gasMax
}
