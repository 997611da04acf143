import { larger } from '../../base/amount.ts'
import { assert } from '../../base/assert.ts'
import type { CoinRate, CoinTerms, FeeCaps, FeeRate, Terms } from '../spending.ts'
import { coinTermsOf } from '../spending.ts'
import { vsizeOf } from './size.ts'

/** BIP-125, rule 4: a replacement pays for its own passing on, base units a thousand bytes. */
const INCREMENT = 1_000n
/** A replacement worth its trouble is at least a quarter dearer. */
const RAISE_NUMERATOR = 5n
const RAISE_DENOMINATOR = 4n
/** One coin of the smaller type, one recipient. */
const LEAST_VSIZE = vsizeOf(['p2tr'], [{ script: Buffer.alloc(22) }])

/**
 * The rate of a chain, from what a node estimates (null where it has no word) and the least that it
 * passes on.
 */
export function rateOf(estimate: bigint | null, floor: bigint): CoinRate {
  const perKvb = estimate === null || estimate < floor ? floor : estimate
  return { family: 'bip122', perKvb }
}

/**
 * Terms for a replacement: a quarter dearer, more than a node's increment asks, and at least the
 * rate where the cap allows. Null where the cap forbids even the quarter, for the smallest payment
 * that there is; what a larger one costs is seen when its coins are chosen.
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
