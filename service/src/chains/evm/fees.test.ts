import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maxFeeOf, priceOf } from '../spending.ts'
import type { FeeMarketTerms, FeeRate, GasRate, GasTerms } from '../spending.ts'
import { bumpTerms, rateOf, termsWithin } from './fees.ts'

const GWEI = 1_000_000_000n
const NO_CAP = { absolute: 10n ** 30n }
const RATE: FeeRate = { family: 'eip155', maxFeePerGas: 30n, maxPriorityFeePerGas: 2n }
const TERMS: FeeMarketTerms = {
  family: 'eip155',
  gasLimit: 21_000n,
  maxFeePerGas: 80n,
  maxPriorityFeePerGas: 8n,
}

const prices = fc.bigInt(0n, 10n ** 14n)
const anyTerms = fc
  .tuple(fc.bigInt(21_000n, 500_000n), prices, prices, fc.boolean())
  .map(([gasLimit, one, other, isLegacy]): GasTerms => {
    if (isLegacy) return { family: 'eip155-legacy', gasLimit, gasPrice: one }
    const [tip, fee] = one < other ? [one, other] : [other, one]
    return { family: 'eip155', gasLimit, maxFeePerGas: fee, maxPriorityFeePerGas: tip }
  })
const anyRate = anyTerms.map(({ gasLimit: _gasLimit, ...rate }): GasRate => rate)
const feesOf = (terms: GasTerms) =>
  terms.family === 'eip155'
    ? [terms.maxFeePerGas, terms.maxPriorityFeePerGas]
    : [terms.gasPrice, terms.gasPrice]

describe('a replacement [W18]', () => {
  test('offers an eighth more on both fees, rounded up', () => {
    const bumped = bumpTerms({ ...TERMS, maxFeePerGas: 81n }, RATE, NO_CAP)
    expect(bumped).toEqual({ ...TERMS, maxFeePerGas: 92n, maxPriorityFeePerGas: 9n })
  })

  test('offers the rate of the day where that is more', () => {
    const rate: FeeRate = { family: 'eip155', maxFeePerGas: 500n, maxPriorityFeePerGas: 50n }
    const bumped = bumpTerms(TERMS, rate, NO_CAP)
    expect(bumped).toEqual({ ...TERMS, maxFeePerGas: 500n, maxPriorityFeePerGas: 50n })
  })

  test('offers more than zero when it offered zero', () => {
    const none = { ...TERMS, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }
    const still: FeeRate = { family: 'eip155', maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }
    expect(bumpTerms(none, still, NO_CAP)).toMatchObject({
      maxFeePerGas: 1n,
      maxPriorityFeePerGas: 1n,
    })
  })

  test('stays below the cap, and is none where the cap forbids the eighth [W16]', () => {
    const rate: FeeRate = { family: 'eip155', maxFeePerGas: 500n, maxPriorityFeePerGas: 2n }
    const absolute = 21_000n * 95n
    expect(bumpTerms(TERMS, rate, { absolute })).toMatchObject({ maxFeePerGas: 95n })
    expect(bumpTerms(TERMS, rate, { absolute: 21_000n * 90n - 1n })).toBeNull()
  })

  test('meets nodes that require a tenth more, keeps its gas and stays below the cap', () => {
    fc.assert(
      fc.property(anyTerms, anyRate, fc.bigInt(0n, 10n ** 20n), (terms, rate, absolute) => {
        const bumped = bumpTerms(terms, rate, { absolute })
        if (bumped === null) {
          const least = feesOf(terms).map((fee) => (fee * 9n + 7n) / 8n)
          const [needed = 0n] = least.map((fee, at) =>
            fee > (feesOf(terms)[at] ?? 0n) ? fee : fee + 1n,
          )
          expect(needed * terms.gasLimit).toBeGreaterThan(absolute)
          return
        }
        expect(bumped).toMatchObject({ family: terms.family, gasLimit: terms.gasLimit })
        expect(maxFeeOf(bumped)).toBeLessThanOrEqual(absolute)
        feesOf(bumped).forEach((fee, at) => {
          const before = feesOf(terms)[at] ?? 0n
          expect(fee).toBeGreaterThan(before)
          expect(fee * 1_000n).toBeGreaterThanOrEqual(before * 1_125n)
        })
        const [fee = 0n, tip = 0n] = feesOf(bumped)
        expect(tip).toBeLessThanOrEqual(fee)
      }),
    )
  })
})

describe('terms under a cap', () => {
  const now = { baseFee: 10n * GWEI, tip: GWEI }
  const gas = 21_000n

  test('hold for twice the base fee', () => {
    expect(rateOf(now)).toEqual({
      family: 'eip155',
      maxFeePerGas: 21n * GWEI,
      maxPriorityFeePerGas: GWEI,
    })
    expect(termsWithin(now, gas, NO_CAP.absolute)).toEqual({ ...rateOf(now), gasLimit: gas })
  })

  test('W16 give up headroom first, and are none where the price of the moment is too high', () => {
    const tight = termsWithin(now, gas, gas * 12n * GWEI)
    expect(tight).toMatchObject({ maxFeePerGas: 12n * GWEI, maxPriorityFeePerGas: GWEI })
    expect(termsWithin(now, gas, gas * 11n * GWEI)).not.toBeNull()
    expect(termsWithin(now, gas, gas * 11n * GWEI - 1n)).toBeNull()
  })

  test('are one price on chains without a base fee', () => {
    const old = { baseFee: null, tip: 5n * GWEI }
    const terms = { family: 'eip155-legacy', gasPrice: 5n * GWEI, gasLimit: gas }
    expect(termsWithin(old, gas, NO_CAP.absolute)).toEqual(terms)
    expect(priceOf(rateOf(old))).toBe(5n * GWEI)
    expect(termsWithin(old, gas, gas * 5n * GWEI - 1n)).toBeNull()
  })

  test('never cost more than the cap, for any prices of a node [W16]', () => {
    fc.assert(
      fc.property(
        prices,
        prices,
        fc.bigInt(21_000n, 10n ** 7n),
        prices,
        (base, tip, limit, cap) => {
          for (const baseFee of [base, null]) {
            const terms = termsWithin({ baseFee, tip }, limit, cap)
            if (terms !== null) expect(maxFeeOf(terms)).toBeLessThanOrEqual(cap)
          }
        },
      ),
    )
  })
})
