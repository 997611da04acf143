import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { type TestDatabase, openTestDatabase } from '../../test/support/database.ts'
import { systemClock } from '../base/clock.ts'
import { listAlerts } from '../journal/list-alerts.ts'
import { openClockWatch } from './clock-watch.ts'

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000]

let db: TestDatabase
beforeEach(async () => {
  db = await openTestDatabase()
  onTestFinished(() => db.close())
})

const told = async () => {
  const alerts = await db.database.transaction((tx) => listAlerts(tx, { open: true }))
  return alerts.map(({ code, subject, message }) => ({ code, subject, message }))
}
/** The test's clock stands that far from the true time, in which the database lives. */
const standAt = (ms: number) => db.clock.set(systemClock.now() + ms)

test('O04 clock.skewed stands while a clock is not the one of the database', async () => {
  const look = openClockWatch(db, ['api', 'spender'])
  standAt(0)
  await look()
  expect(await told()).toEqual([])
  standAt(MINUTE_MS)
  await look()
  expect(await told()).toMatchObject([
    {
      code: 'clock.skewed',
      subject: 'api,spender',
      message: expect.stringContaining('s ahead of'),
    },
  ])
  standAt(-DAY_MS)
  await look()
  expect(await told()).toMatchObject([{ message: expect.stringMatching(/864\d\d s behind/) }])
  standAt(0)
  await look()
  expect(await told()).toEqual([])
})

test('O04 another process of the same roles, whose clock is right, does not hide it', async () => {
  const [wrong, right] = [openClockWatch(db, ['spender']), openClockWatch(db, ['spender'])]
  standAt(0)
  await right()
  standAt(MINUTE_MS)
  await wrong()
  standAt(0)
  await right()
  expect(await told()).toHaveLength(1)
  // Begun again with a clock that is right, the process takes it back.
  standAt(0)
  await openClockWatch(db, ['spender'])()
  expect(await told()).toEqual([])
})
