import fc from 'fast-check'
import { expect, test } from 'vitest'
import { labelEvery, ticksOf } from './scale.ts'

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [4, [0, 1, 2, 3, 4]],
  [7, [0, 2, 4, 6, 8]],
  [40, [0, 10, 20, 30, 40]],
  [41, [0, 20, 40, 60]],
  [1_000, [0, 500, 1_000]],
])('an axis up to %i has the marks %j', (max, ticks) => {
  expect(ticksOf(max)).toEqual(ticks)
})

test('marks start at 0, are whole, few, and reach the largest value', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (max) => {
      const ticks = ticksOf(max)
      expect(ticks[0]).toBe(0)
      expect(ticks.every(Number.isInteger)).toBe(true)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(max)
      expect(ticks.length).toBeLessThanOrEqual(6)
    }),
  )
})

test('labels keep their distance', () => {
  expect(labelEvery(30, { width: 600, min: 50 })).toBe(3)
  expect(labelEvery(30, { width: 2_000, min: 50 })).toBe(1)
  expect(labelEvery(30, { width: 10, min: 50 })).toBe(30)
})
