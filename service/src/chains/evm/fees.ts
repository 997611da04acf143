import { smaller } from '../../base/amount.ts'
import type { FeeCaps, FeeMarketRate, FeeRate, GasRate, GasTerms, Terms } from '../spending.ts'
import { gasTermsOf, priceOf } from '../spending.ts'

/** Prices of a node: base units of the native currency for one gas. */
export interface Prices {
  /** Of the newest block; null on chains without a fee market. */
  baseFee: bigint | null
  /** The tip for the block producer; on legacy chains the whole price. */
  tip: bigint
}

/** A replacement must raise both fees by at least an eighth; some nodes require a tenth. */
const BUMP_NUMERATOR = 9n
const BUMP_DENOMINATOR = 8n
/** The base fee can grow by an eighth a block, so double the base fee lasts for six full blocks. */
const HEADROOM = 2n

/** The rate for the next blocks. */
export function rateOf({ baseFee, tip }: Prices): GasRate {
  if (baseFee === null) return { family: 'eip155-legacy', gasPrice: tip }
  return {
    family: 'eip155',
    maxFeePerGas: baseFee * HEADROOM + tip,
    maxPriorityFeePerGas: tip,
  }
}

/**
 * Terms under a cap on the whole fee. Headroom is reduced if the cap leaves no room for it; null if
 * not even the current price fits.
 */
export function termsWithin(prices: Prices, gasLimit: bigint, cap: bigint): GasTerms | null {
  const rate = rateOf(prices)
  const affordable = cap / gasLimit
  const needed = (prices.baseFee ?? 0n) + prices.tip
  if (affordable < needed) return null
  if (rate.family === 'eip155-legacy') return { ...rate, gasLimit }
  const maxFeePerGas = smaller(rate.maxFeePerGas, affordable)
  return { ...rate, maxFeePerGas, gasLimit }
}

/**
 * Terms for a replacement: both fees at least an eighth higher, rounded up, and at least the rate
 * if the cap allows. Null if the cap forbids even the eighth.
 */
export function bumpTerms(
  previously: Terms,
  rate: FeeRate,
  { absolute }: Pick<FeeCaps, 'absolute'>,
): GasTerms | null {
  const previous = gasTermsOf(previously)
  const { gasLimit } = previous
  const affordable = absolute / gasLimit
  const current = marketOf(gasTermsOf(rate))
  if (previous.family === 'eip155-legacy') {
    const gasPrice = within(raised(previous.gasPrice), priceOf(rate), affordable)
    return gasPrice === null ? null : { ...previous, gasPrice }
  }
  const { maxFeePerGas, maxPriorityFeePerGas } = previous
  const maxFee = within(raised(maxFeePerGas), current.maxFeePerGas, affordable)
  if (maxFee === null) return null
  const tip = within(raised(maxPriorityFeePerGas), current.maxPriorityFeePerGas, maxFee)
  if (tip === null) return null
  return { ...previous, maxFeePerGas: maxFee, maxPriorityFeePerGas: tip }
}

/** The larger of the needed and the wished fee, but at most the allowed one. */
function within(needed: bigint, wished: bigint, allowed: bigint): bigint | null {
  if (needed > allowed) return null
  return wished > needed ? smaller(wished, allowed) : needed
}

/** Always more than before: nodes accept no replacement at the same price, even if it is zero. */
function raised(fee: bigint): bigint {
  const eighth = (fee * BUMP_NUMERATOR + BUMP_DENOMINATOR - 1n) / BUMP_DENOMINATOR
  return eighth > fee ? eighth : fee + 1n
}

/** A legacy price is a tip up to the whole price. */
function marketOf(rate: GasRate): FeeMarketRate {
  if (rate.family === 'eip155') return rate
  const { gasPrice } = rate
  return { family: 'eip155', maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice }
}
