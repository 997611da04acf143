import { expect, test } from 'vitest'
import { ManualClock, silentLog } from '../../test/support/clock.ts'
import type { Attempt } from './delivery.ts'
import { Settler } from './settler.ts'

test.each([
  ['attempts that are many wait for no others to be written down', 500, 2],
  ['those that are few wait for others in a rush, and share their commit', 499, 1],
])('%s', async (_, count, commits) => {
  const { settler, clock, database } = open()
  settler.settle(attempt())
  await clock.advance(50)
  expect(database.begun).toBe(1)
  // They end while the first is written.
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

/** Answers when it is told to. */
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
