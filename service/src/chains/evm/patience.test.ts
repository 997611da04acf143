import { expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/clock.ts'
import { openPatience } from './patience.ts'

const TEN_MINUTES_MS = 600_000

function opened() {
  const clock = new ManualClock()
  return { patience: openPatience(clock), pass: (ms: number) => clock.set(clock.now() + ms) }
}

test('patience is ten minutes, and comes back in five times as long as was spent', () => {
  const { patience, pass } = opened()
  expect(patience.left()).toBe(TEN_MINUTES_MS)
  patience.spend(TEN_MINUTES_MS)
  expect(patience.left()).toBe(0)
  pass(50_000)
  expect(patience.left()).toBe(10_000)
  pass(100 * TEN_MINUTES_MS)
  expect(patience.left()).toBe(TEN_MINUTES_MS)
})

test('patience that was spent beyond what was left comes back later', () => {
  const { patience, pass } = opened()
  patience.spend(TEN_MINUTES_MS - 1)
  patience.spend(60_000)
  pass(250_000)
  expect(patience.left()).toBe(0)
  pass(50_000 + 5_000)
  expect(patience.left()).toBeGreaterThan(0)
})

test('patience comes back after hours were spent', () => {
  const { patience, pass } = opened()
  for (let hours = 0; hours < 100; hours += 1) patience.spend(6 * TEN_MINUTES_MS)
  expect(patience.left()).toBe(0)
  pass(10 * TEN_MINUTES_MS)
  expect(patience.left()).toBe(TEN_MINUTES_MS)
})
