import { expect, test } from 'vitest'
import { ManualClock, silentLog } from '../../test/support/clock.ts'
import type { Attempt } from './delivery.ts'
import { Settler } from './settler.ts'

test.each([
  ['a full batch of attempts is stored without waiting for more', 500, 2],
  ['a smaller batch waits for more under load and shares their commit', 499, 1],
])('%s', async (_, count, commits) => {
  const { settler, clock, database } = open()
  settler.settle(attempt())
  await clock.advance(50)
  expect(database.begun).toBe(1)
  // They end while the first is stored.
  for (let ended = 0; ended < count; ended += 1) settler.settle(attempt())
  database.answer()
  await turn()
  expect(database.begun).toBe(commits)
  await clock.advance(50)
  expect(database.begun).toBe(2)
})

function open() {
  const clock = new ManualClock()
  const database = new SlowDatabase()
  const given = { database: Object(database), clock, log: silentLog(), isRush: () => true }
  return { settler: new Settler(given), clock, database }
}

/** Answers on request. */
class SlowDatabase {
  begun = 0
  answer: () => void = () => undefined

  transaction(): Promise<void> {
    this.begun += 1
    return new Promise((resolve) => (this.answer = resolve))
  }
}

function attempt(): Attempt {
  return Object({ delivery: {} })
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
