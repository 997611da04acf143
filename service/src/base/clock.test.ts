import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clock.ts'
import { fromIso, inTime, isPausing, isPausingForAll, iso, systemClock } from './clock.ts'

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

test('O04 a pause that another process began is on though its clock is a little ahead', () => {
  const at = (now: number) => isPausingForAll(now, 100_000, 50)
  expect([79_999, 80_000, 99_999].map(at)).toEqual([false, true, true])
  expect([100_000, 100_049, 100_050].map(at)).toEqual([true, true, false])
})

const MS = 1_000

describe('work that has a time', () => {
  test('answers in it, and nobody waits for the rest of the time', async () => {
    const clock = new ManualClock()
    const work = Promise.resolve('done')
    expect(await inTime(clock, { ms: MS, work, late: () => 'late' })).toBe('done')
    expect(clock.sleeping).toBe(0)
  })

  test('fails in it as it fails', async () => {
    const work = Promise.reject<string>(new Error('broken'))
    const asked = inTime(new ManualClock(), { ms: MS, work, late: () => 'late' })
    await expect(asked).rejects.toThrow('broken')
  })

  test('is late once the time is over, and not a moment before', async () => {
    const clock = new ManualClock()
    const told: string[] = []
    const work = new Promise<string>(() => undefined)
    const asked = inTime(clock, { ms: MS, work, late: () => 'late' })
    void asked.then((answer) => told.push(answer))
    await clock.advance(MS - 1)
    expect(told).toEqual([])
    await clock.advance(1)
    expect(await asked).toBe('late')
  })

  test('is heard of no more after that, whatever becomes of it', async () => {
    const clock = new ManualClock()
    let fail = () => undefined as void
    const work = new Promise<string>((_, reject) => {
      fail = () => reject(new Error('too late to be heard'))
    })
    const late = () => {
      throw new Error('late')
    }
    const asked = inTime(clock, { ms: MS, work, late })
    await Promise.all([expect(asked).rejects.toThrow('late'), clock.advance(MS)])
    fail()
    await clock.advance(MS)
  })
})
