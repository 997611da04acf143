import { describe, expect, test } from 'vitest'
import { pauseAfter } from './sweep.ts'
import { sweepThreshold } from './plan.ts'

const MINUTE_MS = 60_000

describe('pauseAfter', () => {
  test('grows with each failure, up to one day [E23]', () => {
    expect([0, 1, 2, 3].map(pauseAfter)).toEqual([
      0,
      10 * MINUTE_MS,
      40 * MINUTE_MS,
      160 * MINUTE_MS,
    ])
    expect(pauseAfter(1_000)).toBe(24 * 60 * MINUTE_MS)
  })
})

describe('sweepThreshold', () => {
  test.each([
    ['the configured amount', { decimals: 6, minimumAmount: 5n, sweepAmount: 7n }, 7n],
    ['ten minima', { decimals: 6, minimumAmount: 5n }, 50n],
    ['ten whole units', { decimals: 6, minimumAmount: 1n }, 10_000_000n],
  ])('%s [E16]', (_what, token, amount) => {
    expect(sweepThreshold(token)).toBe(amount)
  })
})
