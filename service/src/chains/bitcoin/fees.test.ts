import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Bug } from '../../base/assert.ts'
import type { CoinTerms } from '../spending.ts'
import { bumpTerms, rateOf } from './fees.ts'
import { feeFor, vsizeOf } from './size.ts'

const TERMS: CoinTerms = { family: 'bip122', perKvb: 4_000n, maxFee: 10_000n }
const still = { family: 'bip122', perKvb: 1n } as const

describe('the rate', () => {
  test('is never below what nodes pass on, and without an estimate exactly that [W17]', () => {
    expect(rateOf(null, 1_000n).perKvb).toBe(1_000n)
    expect(rateOf(700n, 1_000n).perKvb).toBe(1_000n)
    expect(rateOf(9_000n, 1_000n).perKvb).toBe(9_000n)
  })
})

describe('a replacement', () => {
  test('raises the fee by a quarter, and by at least the increment of the nodes', () => {
    expect(bumpTerms(TERMS, still, { absolute: 100_000n })?.perKvb).toBe(5_000n)
    const cheap = { ...TERMS, perKvb: 1_000n }
    expect(bumpTerms(cheap, still, { absolute: 100_000n })?.perKvb).toBe(2_000n)
  })

  test('uses the current rate when it is higher', () => {
    const rate = { family: 'bip122', perKvb: 50_000n } as const
    expect(bumpTerms(TERMS, rate, { absolute: 1_000_000n })?.perKvb).toBe(50_000n)
  })

  test('keeps to the cap, and is none where the cap forbids the least [W16]', () => {
    const least = vsizeOf(['p2tr'], [{ script: Buffer.alloc(22) }])
    fc.assert(
      fc.property(
        fc.bigInt(1n, 10n ** 6n),
        fc.bigInt(1n, 10n ** 8n),
        fc.bigInt(1n, 10n ** 7n),
        (perKvb, wanted, absolute) => {
          const previous: CoinTerms = { family: 'bip122', perKvb, maxFee: 1n }
          const rate = { family: 'bip122', perKvb: wanted } as const
          const bumped = bumpTerms(previous, rate, { absolute })
          const quarter = (perKvb * 5n + 3n) / 4n
          const needed = quarter > perKvb + 1_000n ? quarter : perKvb + 1_000n
          if (bumped === null) {
            expect(feeFor(least, needed)).toBeGreaterThan(absolute)
            return
          }
          expect(bumped.perKvb).toBeGreaterThanOrEqual(needed)
          expect(bumped.maxFee).toBe(absolute)
          expect(feeFor(least, bumped.perKvb)).toBeLessThanOrEqual(absolute)
        },
      ),
    )
  })

  test('of another family is a bug', () => {
    const gas = { family: 'eip155-legacy', gasPrice: 1n } as const
    expect(() => bumpTerms({ ...gas, gasLimit: 1n }, still, { absolute: 1n })).toThrow(Bug)
    expect(() => bumpTerms(TERMS, gas, { absolute: 1n })).toThrow(Bug)
  })
})
