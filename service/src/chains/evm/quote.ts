import { Outage } from '../../base/fault.ts'
import { RpcRefusal } from '../json-rpc.ts'
import type { JsonRpc } from '../json-rpc.ts'
import type { Intent, Quote } from '../port.ts'
import { refuseQuote, tooLittle } from '../refuse-quote.ts'
import type { Refused } from '../refuse-quote.ts'
import { feeCapOf, maxFeeOf, priceOf } from '../spending.ts'
import type { FeeCaps, Terms } from '../spending.ts'
import { decodeUint } from './abi.ts'
import { hasCallFailed, readBalanceAt } from './balance.ts'
import { contractOf } from './block.ts'
import { rateOf, termsWithin } from './fees.ts'
import type { Prices } from './fees.ts'
import { readHeader, readNativeBalance, type StateAt, toQuantity } from './node.ts'
import { estimateGas, hasCode, readPrices, simulateCall } from './spending-node.ts'
import { callOf } from './transaction.ts'

/** What the chain shows of a payment before it is made. */
interface Prospect {
  intent: Intent
  caps: FeeCaps
  prices: Prices
  /** Native base units of the sender. */
  native: bigint
  /** Whether code runs: a token's, or that of a recipient of native coins. */
  runsCode: boolean
}

/** Gas of a plain native send, and what is allowed for a token's transfer where none was tried. */
export const PLAIN_GAS = 21_000n
export const TOKEN_GAS = 100_000n
const MARGIN_NUMERATOR = 12n
const MARGIN_DENOMINATOR = 10n
const REVERT_CODE = 3

/**
 * Asks one node whether a payment would go through, and what it may cost; nothing is reserved. The
 * tries are made from the real sender, at the head. Refusals as `QuoteRefusal` says; W16, W17.
 */
export async function quoteSpend(rpc: JsonRpc, intent: Intent, caps: FeeCaps): Promise<Quote> {
  const contract = contractOf(intent.tokenId)
  const [prices, native, held, runsCode] = await Promise.all([
    readPrices(rpc),
    readNativeBalance(rpc, intent.from, 'latest'),
    contract === null ? null : readHeld(rpc, intent, 'latest'),
    contract === null ? hasCode(rpc, intent.to) : true,
  ])
  const available = held ?? native
  if (available < intent.amount) return tooLittle(intent, available)
  const prospect = { intent, caps, prices, native, runsCode }
  const tried = await tryOut(rpc, prospect)
  if (typeof tried === 'bigint') return priceOut(prospect, tried)
  return tried.code === 'RECIPIENT_REFUSES' ? confirmRefusal(rpc, intent, tried) : tried
}

/**
 * The balance was asked for before the try: maybe of another machine behind the same URL, maybe
 * with a payment of ours in between. So a failure stands only where one block shows the money and
 * the failure; an Outage where that block shows neither.
 */
async function confirmRefusal(rpc: JsonRpc, intent: Intent, refused: Refused): Promise<Refused> {
  const head = await readHeader(rpc, 'latest')
  if (head === null) throw new Outage(rpc.name, 'has no head')
  const at = toQuantity(head.height)
  const [available, goes] = await Promise.all([readHeld(rpc, intent, at), wouldGo(rpc, intent, at)])
  if (available < intent.amount) return tooLittle(intent, available)
  if (goes) throw new Outage(rpc.name, 'a payment fails at its head, and not in the block there')
  return refused
}

/** Whether the payment goes through by the state of a block. */
async function wouldGo(rpc: JsonRpc, intent: Intent, at: StateAt): Promise<boolean> {
  try {
    const answer = await simulateCall(rpc, intent.from, { call: callOf(intent), at })
    return contractOf(intent.tokenId) === null || hasMoved(answer)
  } catch (error) {
    if (hasCallFailed(error)) return false
    throw error
  }
}

/** What the sender has of it; nothing where the contract does not answer. */
async function readHeld(rpc: JsonRpc, { from, tokenId }: Intent, at: StateAt): Promise<bigint> {
  return (await readBalanceAt(rpc, from, tokenId, at)) ?? 0n
}

/** The gas that the payment takes, or why it would fail. */
async function tryOut(rpc: JsonRpc, prospect: Prospect): Promise<bigint | Refused> {
  const { intent } = prospect
  const call = callOf(intent)
  try {
    const gas = await estimateGas(rpc, intent.from, call)
    if (contractOf(intent.tokenId) === null) return gas
    if (hasMoved(await simulateCall(rpc, intent.from, { call, at: 'latest' }))) return gas
    return refuseQuote('RECIPIENT_REFUSES', 'the token answers that it would not move', {})
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error
    return reasonOf(prospect, error)
  }
}

/** Tokens answer true, or as the oldest do nothing at all. */
function hasMoved(answer: string): boolean {
  return answer === '0x' || decodeUint(answer) === 1n
}

/**
 * A node may want to see the fee in the sender's hands before it tries anything. So only a revert
 * proves that the payment fails while the fee is missing.
 */
function reasonOf({ intent, prices, native }: Prospect, error: RpcRefusal): Refused {
  const isNative = contractOf(intent.tokenId) === null
  const gas = isNative ? PLAIN_GAS : TOKEN_GAS
  const required = gas * priceOf(rateOf(prices)) + (isNative ? intent.amount : 0n)
  const hasReverted = error.code === REVERT_CODE || /revert/i.test(error.said)
  if (!hasReverted && native < required) {
    const numbers = { available: native, required }
    return refuseQuote('NO_GAS_FOR_ESTIMATE', 'the sender has no gas to try it with', numbers)
  }
  const hasFailed: boolean = hasReverted || hasCallFailed(error)
  if (!hasFailed) throw error
  return refuseQuote('RECIPIENT_REFUSES', 'the payment would fail', {})
}

function priceOut({ intent, caps, prices, native, runsCode }: Prospect, gas: bigint): Quote {
  const isNative = contractOf(intent.tokenId) === null
  const gasMax = isNative ? caps.gasLimit : caps.tokenGasLimit
  if (gas > gasMax) {
    const code = isNative && runsCode ? 'RECIPIENT_REFUSES' : 'FEE_TOO_HIGH'
    return refuseQuote(code, 'the payment would take more gas than one is given', { gas, gasMax })
  }
  const gasLimit = gas === PLAIN_GAS ? gas : withMargin(gas, gasMax)
  const cap = feeCapOf(intent, caps)
  const terms = termsWithin(prices, gasLimit, cap)
  if (terms === null) {
    const fee = gasLimit * ((prices.baseFee ?? 0n) + prices.tip)
    return refuseQuote('FEE_TOO_HIGH', 'the fee would be above what is allowed', { fee, cap })
  }
  return checkGas(terms, { available: native, amount: isNative ? intent.amount : 0n })
}

function checkGas(terms: Terms, given: { available: bigint; amount: bigint }): Quote {
  const { available, amount } = given
  const required = amount + maxFeeOf(terms)
  if (available >= required) return { ok: true, terms }
  return refuseQuote('INSUFFICIENT_GAS', 'the sender cannot pay the fee', { available, required })
}

/** What an estimate finds may be a little short by the time of the block. */
function withMargin(gas: bigint, gasMax: bigint): bigint {
  const wide = (gas * MARGIN_NUMERATOR) / MARGIN_DENOMINATOR
  return wide < gasMax ? wide : gasMax
}
