import { expect, onTestFinished, test } from 'vitest'
import { SeededRandom } from '../../test/support/clock.ts'
import { openTestDatabase } from '../../test/support/database.ts'
import { foundHooked } from '../../test/support/hooked-organization.ts'
import { lowGas } from '../../test/support/sample-event.ts'
import { openServiceKey } from '../keys/service-key.ts'
import type { EventFilter } from './event.ts'
import { listEvents } from './list-events.ts'
import { appendEvent } from './outbox.ts'

const HOUR_MS = 3_600_000

test('listEvents returns the events of a period', async () => {
  const testing = await openTestDatabase()
  onTestFinished(() => testing.close())
  const { database, clock } = testing
  const random = new SeededRandom('list events')
  const serviceKey = openServiceKey({ key: new Uint8Array(32).fill(7), random })
  const orgId = await foundHooked({ ...testing, serviceKey, random })
  const start = clock.now()
  for (let hour = 0; hour < 5; hour += 1) {
    await database.transaction(async (tx) =>
      appendEvent(tx, { orgId, type: 'gas.low', subjectId: 'subject', payload: lowGas('low') }),
    )
    await clock.advance(HOUR_MS)
  }
  const numbersOf = async (filter: EventFilter): Promise<number[]> => {
    const events = await database.transaction((tx) =>
      listEvents(tx, { orgId, filter, place: null, limit: 10 }),
    )
    return events.map(({ sequence }) => sequence)
  }
  expect(await numbersOf({ from: start + HOUR_MS })).toEqual([5, 4, 3, 2])
  expect(await numbersOf({ to: start + HOUR_MS })).toEqual([2, 1])
  expect(await numbersOf({ from: start + HOUR_MS, to: start + 3 * HOUR_MS })).toEqual([4, 3, 2])
})
