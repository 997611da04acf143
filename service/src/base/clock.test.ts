import { expect, test } from 'vitest'
import { fromIso, isPausing, iso, systemClock } from './clock.ts'

test('timestamps are written in UTC with milliseconds, and read back the same', () => {
  expect(iso(0)).toBe('1970-01-01T00:00:00.000Z')
  expect(iso(1_795_274_312_090)).toBe('2026-11-21T15:18:32.090Z')
  expect(fromIso('2026-11-21T15:18:32.090Z')).toBe(1_795_274_312_090)
  expect(fromIso('yesterday')).toBeNaN()
})

test('a sleep ends at once when its signal aborts, before or during it', async () => {
  const before = new AbortController()
  before.abort()
  await systemClock.sleep(60_000, before.signal)
  const during = new AbortController()
  const sleeping = systemClock.sleep(60_000, during.signal)
  during.abort()
  await sleeping
})

test('O04 a pause ends by its time, or where the clock was set back before it', () => {
  const at = (now: number) => isPausing(now, 1_000, 50)
  expect([999, 1_000, 1_049, 1_050].map(at)).toEqual([false, true, true, false])
  expect(isPausing(1_000, null, 50)).toBe(false)
})
