import { describe, expect, test } from 'vitest'
import { ATTEMPTS_MAX, RETRY_DELAYS_MS, nextAttempt } from './schedule.ts'

describe('the retry schedule', () => {
  test('retries follow 5 s, 25 s, 2 min, 10 min and 1 h after the end of an attempt [H06]', () => {
    const endedAt = 1_700_000_000_000
    const waits = [1, 2, 3, 4, 5].map((number) => (nextAttempt({ number, endedAt }) ?? 0) - endedAt)
    expect(waits).toEqual([5_000, 25_000, 120_000, 600_000, 3_600_000])
    expect(waits).toEqual([...RETRY_DELAYS_MS])
  })

  test('the fifth retry is the last [H06]', () => {
    expect(ATTEMPTS_MAX).toBe(6)
    expect(nextAttempt({ number: 6, endedAt: 0 })).toBeNull()
  })
})
