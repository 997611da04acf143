import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SeededDice } from '../../test/support/clock.ts'
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { lowGas } from '../../test/support/sample-event.ts'
import { foundHooked } from '../../test/support/hooked-organization.ts'
import { openServiceKey } from '../keys/service-key.ts'
import type { EventFilter } from './event.ts'
import { listEvents } from './list-events.ts'
import { appendEvent } from './outbox.ts'

const dice = new SeededDice('list events')
const serviceKey = openServiceKey({ key: new Uint8Array(32).fill(7), dice })
const MINUTE = 60_000
const DAY = 86_400_000

let testing: TestDatabase
let orgId: string
let right: number

beforeEach(async () => {
  testing = await openTestDatabase()
  right = testing.clock.now()
  orgId = await foundHooked({ ...testing, serviceKey, dice })
})
afterEach(() => testing.close())

describe('events of a time', () => {
  test('O04 are all found that came after the clock was set back', async () => {
    await tellAt(right)
    await tellAt(right + DAY)
    await tellAt(right + MINUTE)
    expect(await numbers({ to: right + 2 * MINUTE })).toEqual([3, 1])
    expect(await numbers({ from: right + MINUTE, to: right + 2 * MINUTE })).toEqual([3])
  })

  test('O04 are all found that came before it was set back', async () => {
    await tellAt(right + DAY)
    await tellAt(right)
    expect(await numbers({ from: right + DAY - MINUTE })).toEqual([1])
    expect(await numbers({ from: right })).toEqual([2, 1])
  })
})

async function tellAt(at: number): Promise<void> {
  testing.clock.set(at)
  await testing.database.transaction(async (tx) =>
    appendEvent(tx, { orgId, type: 'gas.low', subjectId: 'subject', payload: lowGas('low') }),
  )
}

async function numbers(filter: EventFilter): Promise<number[]> {
  const given = { orgId, filter, place: null, limit: 10 }
  const events = await testing.database.transaction((tx) => listEvents(tx, given))
  return events.map(({ sequence }) => sequence)
}
