import { expect, test } from 'vitest'
import { ManualClock, SeededRandom } from '../../test/support/clock.ts'
import { isId, uuids } from './id.ts'

test('ids are UUIDs of version 7 and sort by creation time', () => {
  const clock = new ManualClock()
  const ids = uuids(clock, new SeededRandom(1))
  const made = Array.from({ length: 200 }, () => {
    clock.set(clock.now() + 1)
    return ids.next()
  })
  expect(made.toSorted()).toEqual(made)
  expect(new Set(made).size).toBe(made.length)
  for (const id of made) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(isId(id)).toBe(true)
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBeLessThanOrEqual(
      clock.now(),
    )
  }
})

test.each(['', 'x', '01a1feaf', '01A1FEAF-9C7C-7432-97AE-BAD59C39BADF', "' or 1=1 --"])(
  '%j is no id',
  (text) => {
    expect(isId(text)).toBe(false)
  },
)
