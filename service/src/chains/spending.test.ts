import { parseTokenId } from '@sluice/wire'
import type { TokenId } from '@sluice/wire'
import { describe, expect, test } from 'vitest'
import { Bug } from '../base/assert.ts'
import { feeCapOf, maxFeeOf, rateWithin, termsFromJson, termsToJson } from './spending.ts'
import type { FeeCaps, Terms } from './spending.ts'

const CAPS: FeeCaps = {
  absolute: 1_000n,
  gasLimit: 100_000n,
  tokenGasLimit: 300_000n,
  relativePercent: 10,
}
const NATIVE = 'eip155:1/slip44:60' as TokenId
const TOKEN = 'eip155:1/erc20:0xdAC17F958D2ee523a2206206994597C13D831ec7' as TokenId
const MARKET: Terms = {
  family: 'eip155',
  gasLimit: 21_000n,
  maxFeePerGas: 2n ** 70n,
  maxPriorityFeePerGas: 0n,
}
const LEGACY: Terms = { family: 'eip155-legacy', gasLimit: 21_000n, gasPrice: 7n }

describe('a fee is at most [W16]', () => {
  test('the absolute cap, and for native coins a part of the amount', () => {
    expect(parseTokenId(TOKEN)).not.toBeNull()
    expect(feeCapOf({ tokenId: NATIVE, amount: 5_000n }, CAPS)).toBe(500n)
    expect(feeCapOf({ tokenId: NATIVE, amount: 50_000n }, CAPS)).toBe(1_000n)
    expect(feeCapOf({ tokenId: TOKEN, amount: 5n }, CAPS)).toBe(1_000n)
  })

  test('is the absolute cap for fillers, and if no share is configured', () => {
    expect(feeCapOf({ tokenId: NATIVE, amount: 0n }, CAPS)).toBe(1_000n)
    expect(feeCapOf({ tokenId: NATIVE, amount: 5n }, { ...CAPS, relativePercent: null })).toBe(
      1_000n,
    )
    expect(feeCapOf({ tokenId: NATIVE, amount: 1_000n }, { ...CAPS, relativePercent: 2.5 })).toBe(
      25n,
    )
  })
})

const ROOM = { family: 'bip122', perKvb: 1_500n, maxFee: 10_000n } as const

describe('a rate within a cap [W16]', () => {
  test('is the current rate, or the highest at which the fee is within the cap', () => {
    const rate = { family: 'bip122', perKvb: 9_000n } as const
    expect(rateWithin(rate, { terms: ROOM, fee: 100n })).toEqual(rate)
    expect(rateWithin(rate, { terms: ROOM, fee: 3_333n }).perKvb).toBe(4_500n)
    expect(rateWithin(rate, { terms: ROOM, fee: 10_000n }).perKvb).toBe(1_500n)
  })
})

describe('stored terms', () => {
  test.each([MARKET, LEGACY, ROOM])('come back as they were: %o', (terms) => {
    const stored = JSON.parse(JSON.stringify(termsToJson(terms)))
    expect(termsFromJson(stored)).toEqual(terms)
    expect(maxFeeOf(termsFromJson(stored))).toBe(maxFeeOf(terms))
  })

  const wrong: [string, unknown][] = [
    ['nothing', null],
    ['another family', { family: 'eip156' }],
    ['no rate', { family: 'bip122' }],
    ['a number for a text', { ...termsToJson(LEGACY), gasPrice: 7 }],
    ['a sign', { ...termsToJson(LEGACY), gasPrice: '-7' }],
    ['a missing fee', { ...termsToJson(MARKET), maxFeePerGas: undefined }],
  ]
  test.each(wrong)('are a bug when changed: %s', (_name, stored) => {
    expect(() => termsFromJson(stored)).toThrow(Bug)
  })
})
