import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SeededDice, silentLog } from '../../test/support/clock.ts'
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { lowGas } from '../../test/support/sample-event.ts'
import { foundHooked } from '../../test/support/hooked-organization.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { bringForward } from './bring-forward.ts'
import type { Answer } from './delivery.ts'
import { type Deliverer, openDeliverer } from './deliver.ts'
import { leaseBatch } from './lease-batch.ts'
import { FIRST_ORGANIZATION } from './delivery-rows.ts'
import { appendEvent } from './outbox.ts'

const dice = new SeededDice('bring forward')
const serviceKey = openServiceKey({ key: new Uint8Array(32).fill(7), dice })
const DAY = 86_400_000
const TAKEN: Answer = { status: 200, headers: {}, body: '', error: '' }
const REFUSED: Answer = { ...TAKEN, status: 500 }

let testing: TestDatabase
let deliverer: Deliverer
let answer: Answer
let orgId: string
let right: number

beforeEach(async () => {
  testing = await openTestDatabase()
  right = testing.clock.now()
  answer = TAKEN
  deliverer = openDeliverer({
    ...testing,
    serviceKey,
    log: silentLog(),
    rules: { allowHttp: false, allowPrivate: false, devOrigins: [] },
    resolve: async () => [],
    openPoster: () => ({ send: async () => answer, close: async () => undefined }),
  })
  orgId = await foundHooked({ ...testing, serviceKey, dice }, 'https://receiver.example/in')
})
afterEach(async () => {
  await deliverer.close()
  await testing.close()
})

describe('once a clock that was ahead is right', () => {
  test.each([
    ['an hour', 3_600_000],
    ['a day', DAY],
  ])('O04 what was told while it was ahead by %s goes out', async (_what, ahead) => {
    testing.clock.set(right + ahead)
    await tell()
    testing.clock.set(right)
    expect(await deliverer.tick()).toBe(0)
    expect(await bringForward(testing.database)).toBe(1)
    expect(await deliverer.tick()).toBe(1)
  })

  test('O04 what failed while it was ahead is tried again', async () => {
    await tell()
    answer = REFUSED
    testing.clock.set(right + DAY)
    expect(await deliverer.tick()).toBe(1)
    testing.clock.set(right)
    expect(await bringForward(testing.database)).toBe(1)
    expect(await deliverer.tick()).toBe(1)
  })

  test('O04 what a process had leased that died while it was ahead goes out', async () => {
    await tell()
    testing.clock.set(right + DAY)
    await lease()
    testing.clock.set(right)
    expect(await deliverer.tick()).toBe(0)
    expect(await bringForward(testing.database)).toBe(1)
    expect(await deliverer.tick()).toBe(1)
  })
})

test('O04 what waits for its retry, or is being sent, is not brought forward', async () => {
  await tell()
  answer = REFUSED
  for (let tries = 0; tries < 5; tries += 1) {
    expect(await deliverer.tick()).toBe(1)
    expect(await bringForward(testing.database)).toBe(0)
    // The last of these waits is an hour, of which half is over then.
    await testing.clock.advance(tries === 4 ? 1_800_000 : 600_000)
  }
  await tell()
  await lease()
  expect(await bringForward(testing.database)).toBe(0)
  expect(await deliverer.tick()).toBe(0)
})

async function tell(): Promise<void> {
  await testing.database.transaction(async (tx) =>
    appendEvent(tx, { orgId, type: 'gas.low', subjectId: 'subject', payload: lowGas('low') }),
  )
}

/** As a process does that ends before it sends anything. */
async function lease(): Promise<void> {
  const { database } = testing
  const asked = { limit: 10, leaseMs: 45_000, full: [], roomOf: () => 10 }
  const means = { database, serviceKey, log: silentLog() }
  const { lanes } = await leaseBatch(means, { ...asked, after: FIRST_ORGANIZATION })
  expect(lanes.flatMap(({ deliveries }) => deliveries)).toHaveLength(1)
}
