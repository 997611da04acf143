import { larger } from '../../base/amount.ts'
import { assert } from '../../base/assert.ts'
import type { CoinRate, CoinTerms, FeeCaps, FeeRate, Terms } from '../spending.ts'
import { coinTermsOf } from '../spending.ts'
import { vsizeOf } from './size.ts'

/** BIP-125, rule 4: a replacement pays for its own relay, base units for a thousand bytes. */
const INCREMENT = 1_000n
/** A replacement raises the fee by at least a quarter. */
const RAISE_NUMERATOR = 5n
const RAISE_DENOMINATOR = 4n
/** One input of the smaller type, one recipient. */
const LEAST_VSIZE = vsizeOf(['p2tr'], [{ script: Buffer.alloc(22) }])

/** The rate of a chain, from a node's estimate (null without one) and its minimum for relay. */
export function rateOf(estimate: bigint | null, floor: bigint): CoinRate {
  const perKvb = estimate === null || estimate < floor ? floor : estimate
  return { family: 'bip122', perKvb }
}

/**
 * Terms for a replacement: a quarter higher, above the node's increment, and at least the rate if
 * the cap allows. Null if the cap forbids even the quarter for the smallest payment; the cost of a
 * larger one is known once its inputs are chosen.
 */
export function bumpTerms(
  previous: Terms,
  rate: FeeRate,
  { absolute }: Pick<FeeCaps, 'absolute'>,
): CoinTerms | null {
  const { perKvb } = coinTermsOf(previous)
  assert(rate.family === 'bip122', 'a rate of another family of chains', { rate })
  const quarter = (perKvb * RAISE_NUMERATOR + RAISE_DENOMINATOR - 1n) / RAISE_DENOMINATOR
  const needed = larger(quarter, perKvb + INCREMENT)
  const affordable = (absolute * 1_000n) / BigInt(LEAST_VSIZE)
  if (needed > affordable) return null
  const wished = larger(rate.perKvb, needed)
  return { family: 'bip122', perKvb: wished < affordable ? wished : affordable, maxFee: absolute }
}
