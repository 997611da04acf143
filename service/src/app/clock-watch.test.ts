import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type TestDatabase, openTestDatabase } from '../../test/support/database.ts'
import { silentLog } from '../../test/support/clock.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { listAlerts } from '../alerts/list-alerts.ts'
import { holdLease } from '../store/hold-lease.ts'
import { ClockWatch } from './clock-watch.ts'
import type { LoopRole } from './config-settings.ts'
import type { Loop } from './loops.ts'

const [SECOND_MS, MINUTE_MS, DAY_MS] = [1_000, 60_000, 86_400_000]

let db: TestDatabase
beforeEach(async () => {
  db = await openTestDatabase()
  onTestFinished(() => db.close())
})

const watchOf = (roles: readonly LoopRole[], clock: Clock = db.clock) =>
  new ClockWatch({ database: db.database, clock, log: silentLog() }, roles)
const openAlerts = async () => {
  const alerts = await db.database.transaction((tx) => listAlerts(tx, { open: true }))
  return alerts.map(({ code, subject, message }) => ({ code, subject, message }))
}
/** Sets the test's clock that far from the database's, which has the true time. */
const setTo = (skewMs: number) => db.clock.set(systemClock.now() + skewMs)

test('compare raises clock.skewed while the clock differs from the database’s [O04]', async () => {
  const watch = watchOf(['api', 'spender'])
  setTo(0)
  await watch.compare()
  expect([watch.isSkewed, await openAlerts()]).toEqual([false, []])
  setTo(MINUTE_MS)
  await watch.compare()
  expect(watch.isSkewed).toBe(true)
  expect(await openAlerts()).toMatchObject([
    {
      code: 'clock.skewed',
      subject: 'api,spender',
      message: expect.stringContaining('s ahead of'),
    },
  ])
  setTo(-DAY_MS)
  await watch.compare()
  expect(await openAlerts()).toMatchObject([{ message: expect.stringMatching(/864\d\d s behind/) }])
  setTo(0)
  await watch.compare()
  expect([watch.isSkewed, await openAlerts()]).toEqual([false, []])
})

test('compare tolerates two seconds and not ten [O04]', async () => {
  const watch = watchOf(['scanner'])
  const seen: boolean[] = []
  for (const skewMs of [2, -2, 10, -10].map((seconds) => seconds * SECOND_MS)) {
    setTo(skewMs)
    await watch.compare()
    seen.push(watch.isSkewed)
  }
  expect(seen).toEqual([false, false, true, true])
})

test('an alert stays open although another process of the same roles is right [O04]', async () => {
  const [wrong, right] = [watchOf(['spender']), watchOf(['spender'])]
  setTo(0)
  await right.compare()
  setTo(MINUTE_MS)
  await wrong.compare()
  setTo(0)
  await right.compare()
  expect(await openAlerts()).toHaveLength(1)
  // A process that starts with the right time resolves it.
  await watchOf(['spender']).compare()
  expect(await openAlerts()).toEqual([])
})

test('a loop is paused while the clock is skewed, and then continues [O04]', async () => {
  const clock = shiftedClock()
  const watch = watchOf(['spender'], clock)
  const runs: string[] = []
  const loop: Loop = {
    name: 'work',
    run: (signal) =>
      holdLease(
        { ...db, clock, log: silentLog() },
        { name: 'work', holder: 'us' },
        signal,
        async (_lease, term) => {
          runs.push('started')
          await new Promise<void>((resolve) => term.addEventListener('abort', () => resolve()))
          runs.push('stopped')
        },
      ),
  }
  const stopping = new AbortController()
  const running = watch.pausing(loop).run(stopping.signal)
  await vi.waitFor(() => expect(runs).toEqual(['started']))
  clock.skewMs = -MINUTE_MS
  await watch.compare()
  await vi.waitFor(() => expect(runs).toEqual(['started', 'stopped']))
  expect(watch.isSkewed).toBe(true)
  clock.skewMs = 0
  await watch.compare()
  await vi.waitFor(() => expect(runs).toEqual(['started', 'stopped', 'started']))
  stopping.abort()
  await running
  expect(runs.at(-1)).toBe('stopped')
})

test('a loop does not start while the clock is skewed from the beginning [O04]', async () => {
  const clock = shiftedClock(DAY_MS)
  const watch = watchOf(['spender'], clock)
  await watch.compare()
  const run = vi.fn(async () => undefined)
  const stopping = new AbortController()
  const running = watch.pausing({ name: 'work', run }).run(stopping.signal)
  await systemClock.sleep(50)
  stopping.abort()
  await running
  expect(run).not.toHaveBeenCalled()
})

test('the loop compares every minute, and at once after the clock jumped [O04]', async () => {
  const watch = watchOf(['webhooks'])
  const compare = vi.spyOn(watch, 'compare').mockResolvedValue()
  const stopping = new AbortController()
  const running = watch.loop().run(stopping.signal)
  for (let seconds = 0; seconds < 121; seconds += 1) await db.clock.advance(SECOND_MS)
  expect(compare).toHaveBeenCalledTimes(3)
  db.clock.set(db.clock.now() + DAY_MS)
  await db.clock.advance(SECOND_MS)
  expect(compare).toHaveBeenCalledTimes(4)
  stopping.abort()
  await running
})

/** The true time, changed by `skewMs`; timers run at their usual pace. */
function shiftedClock(skewMs = 0): Clock & { skewMs: number } {
  const clock = {
    skewMs,
    now: () => systemClock.now() + clock.skewMs,
    sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms, signal),
  }
  return clock
}
