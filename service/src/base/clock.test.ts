import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/clock.ts'
import { fromIso, inTime, isPausing, iso, neverBack, systemClock } from './clock.ts'

test('timestamps are formatted in UTC with milliseconds and parsed back', () => {
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

test('a pause lasts until its time has passed', () => {
  expect([1_000, 1_049, 1_050].map((now) => isPausing(now, 1_000, 50))).toEqual([true, true, false])
  expect(isPausing(1_000, null, 50)).toBe(false)
})

describe('neverBack', () => {
  const opened = () => {
    const machine = { wall: 1_000_000, elapsed: 500 }
    const now = neverBack(
      () => machine.wall,
      () => machine.elapsed,
    )
    const pass = (ms: number) => {
      machine.wall += ms
      machine.elapsed += ms
    }
    return { machine, now, pass }
  }

  test('follows the system clock, also when that is set ahead [O04]', () => {
    const { machine, now, pass } = opened()
    expect(now()).toBe(1_000_000)
    pass(250)
    expect(now()).toBe(1_000_250)
    machine.wall += 86_400_000
    expect(now()).toBe(87_400_250)
  })

  test('advances at half speed after the clock was set back, until both agree [O04]', () => {
    const { machine, now, pass } = opened()
    machine.wall -= 10_000
    expect(now()).toBe(1_000_000)
    const seen = [1_000_000]
    for (let ms = 0; ms < 30_000; ms += 1) {
      pass(1)
      seen.push(now())
    }
    expect(seen.every((at, index) => index === 0 || at >= (seen[index - 1] ?? 0))).toBe(true)
    expect(seen[10_000]).toBe(1_005_000)
    expect(seen[20_000]).toBe(1_010_000)
    expect(seen[30_000]).toBe(machine.wall)
  })

  test('never goes back at any step of the system clock [O04]', () => {
    const { machine, now } = opened()
    const steps = fc.record({ wall: fc.integer(), elapsed: fc.integer({ min: 0, max: 100_000 }) })
    fc.assert(
      fc.property(fc.array(steps), (jumps) => {
        for (const { wall, elapsed } of jumps) {
          const before = now()
          machine.wall = wall
          machine.elapsed += elapsed
          expect(now()).toBeGreaterThanOrEqual(before)
        }
      }),
    )
  })
})

const MS = 1_000

describe('inTime', () => {
  test('returns the result and ends its timer', async () => {
    const clock = new ManualClock()
    const work = Promise.resolve('done')
    expect(await inTime(clock, { ms: MS, work, late: () => 'late' })).toBe('done')
    expect(clock.sleeping).toBe(0)
  })

  test('rejects with the error of the work', async () => {
    const work = Promise.reject<string>(new Error('broken'))
    const asked = inTime(new ManualClock(), { ms: MS, work, late: () => 'late' })
    await expect(asked).rejects.toThrow('broken')
  })

  test('calls late exactly when the time has passed', async () => {
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

  test('ignores a failure after the time has passed', async () => {
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
