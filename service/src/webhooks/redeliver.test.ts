import { startReceiver } from '@sluice/simulator'
import type { Receiver } from '@sluice/simulator'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SeededRandom, silentLog } from '../../test/support/clock.ts'
import { openTestDatabase } from '../../test/support/database.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import { lowGas } from '../../test/support/sample-event.ts'
import { foundHooked } from '../../test/support/hooked-organization.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { openDeliverer } from './deliver.ts'
import type { Deliverer } from './deliver.ts'
import type { EventFilter } from './event.ts'
import { listEvents, readEvent } from './list-events.ts'
import { appendEvent } from './outbox.ts'
import { purgeAttempts } from './purge-attempts.ts'
import { redeliverEvent, redeliverMatching } from './redeliver.ts'
import type { Redelivered } from './redeliver.ts'

const random = new SeededRandom('redeliver')
const serviceKey = openServiceKey({ key: new Uint8Array(32).fill(7), random })
const actor = 'cli:test'
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const SCHEDULE = [5_000, 25_000, 2 * MINUTE, 10 * MINUTE, 60 * MINUTE]

let testing: TestDatabase
let receiver: Receiver
let deliverer: Deliverer
let orgId: string

beforeEach(async () => {
  testing = await openTestDatabase()
  receiver = await startReceiver()
  deliverer = openDeliverer({
    database: testing.database,
    serviceKey,
    clock: testing.clock,
    log: silentLog(),
    rules: { allowHttp: false, allowPrivate: false, devOrigins: [new URL(receiver.url).origin] },
    resolve: async () => [],
  })
  orgId = await found()
})
afterEach(async () => {
  await deliverer.close()
  await receiver.stop()
  await testing.close()
})

describe('a redelivery', () => {
  test('a redelivery of a failed event restarts the schedule [H06]', async () => {
    await tell(1)
    receiver.behave({ do: 'answer', status: 500 })
    await giveUp()
    const [event] = await list({ delivery: 'failed' })
    expect(event).toMatchObject({ attempts: 6, state: 'failed', lastStatus: 500 })
    await redeliver(event?.id)
    await giveUp()
    expect(await list({ delivery: 'failed' })).toMatchObject([{ attempts: 12 }])
    expect(receiver.received).toHaveLength(12)
    const { attempts } = await read(event?.id)
    expect(attempts.map(({ number }) => number)).toEqual(
      Array.from({ length: 12 }, (_, i) => i + 1),
    )
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('a redelivery sends an event now that waits for its retry', async () => {
    await tell(1)
    receiver.script({ do: 'answer', status: 500 })
    await deliverer.tick()
    const [event] = await list({ delivery: 'pending' })
    expect(await deliverer.tick()).toBe(0)
    expect(await redeliver(event?.id)).toMatchObject({ isSent: true })
    expect(await deliverer.tick()).toBe(1)
    expect(await list({ delivery: 'delivered' })).toMatchObject([{ attempts: 2 }])
  })

  test('a redelivery skips an event that is being sent', async () => {
    await tell(1)
    receiver.script({ do: 'hang' })
    const ticking = deliverer.tick()
    await receiver.waitFor((received) => received.length === 1)
    const [event] = await list({})
    expect(await redeliver(event?.id)).toMatchObject({ isSent: false })
    expect(await redeliverAll({ after: 0 })).toMatchObject({ count: 0, underWay: 1 })
    expect(await countRows()).toBe(1)
    await testing.clock.advance(30_000)
    expect(await ticking).toBe(1)
    // The running attempt was stored, with its lease.
    expect(await list({})).toMatchObject([{ state: 'pending', attempts: 1 }])
    await testing.clock.advance(5_000)
    expect(await deliverer.tick()).toBe(1)
    expect(receiver.received).toHaveLength(2)
  })

  test('a redelivery takes over from a dead process, whose result is void', async () => {
    await tell(1)
    receiver.script({ do: 'hang' })
    const ticking = deliverer.tick()
    await receiver.waitFor((received) => received.length === 1)
    await testing.database.transaction((tx) =>
      tx.run(sql`update deliveries set leased_until = created_at - interval '1 hour'
                   from events where events.id = deliveries.event_id`),
    )
    const [event] = await list({})
    await redeliver(event?.id)
    await testing.clock.advance(30_000)
    await ticking
    expect(await list({})).toMatchObject([{ state: 'delivered', attempts: 1 }])
    expect(await countRows()).toBe(1)
  })

  test('a redelivery by filter reaches thousands of events in successive batches', async () => {
    await tell(2_500)
    await testing.database.transaction((tx) =>
      tx.run(sql`update deliveries set state = 'failed', attempts = 6, next_at = null`),
    )
    await tell(3)
    const steps: Redelivered[] = []
    for await (const told of matching({ delivery: 'failed' })) steps.push(told)
    expect(steps.map(({ count, isEnd }) => [count, isEnd])).toEqual([
      [1_000, false],
      [2_000, false],
      [2_500, true],
    ])
    // New events are sent with the first thousand, not after all of them.
    expect(await dueNow()).toBe(1_003)
    await testing.clock.advance(2_000)
    expect(await dueNow()).toBe(2_503)
    expect(await countRows()).toBe(2_503)
  })

  test('a redelivery by filter completes while its events fail again', async () => {
    await tell(1_200)
    await testing.database.transaction((tx) =>
      tx.run(sql`update deliveries set state = 'failed', attempts = 6, next_at = null`),
    )
    let count = 0
    for await (const told of matching({ delivery: 'failed' })) {
      count = told.count
      await tell(1)
      await testing.database.transaction((tx) =>
        tx.run(sql`update deliveries set state = 'failed' where state = 'pending'`),
      )
    }
    expect(count).toBe(1_200)
  })

  test('two concurrent redeliveries queue every event once', async () => {
    await tell(1_500)
    await testing.database.transaction((tx) =>
      tx.run(sql`update deliveries set state = 'failed', attempts = 6, next_at = null`),
    )
    await Promise.all([redeliverAll({ delivery: 'failed' }), redeliverAll({ after: 0 })])
    expect(await list({ delivery: 'failed' })).toEqual([])
    expect(await countRows()).toBe(1_500)
    await testing.clock.advance(10_000)
    expect(await deliverer.tick()).toBe(1_500)
    expect(receiver.received).toHaveLength(1_500)
  })

  test('a redelivery by filter skips locked rows without waiting', async () => {
    await tell(3)
    await testing.database.transaction((tx) =>
      tx.run(sql`update deliveries set state = 'failed', attempts = 6, next_at = null`),
    )
    await testing.database.transaction(async (tx) => {
      await tx.run(sql`select from deliveries order by event_id limit 1 for update`)
      expect(await redeliverAll({ after: 0 })).toMatchObject({ count: 2, underWay: 1 })
    })
    expect(await redeliverAll({ delivery: 'failed' })).toMatchObject({ count: 1, underWay: 0 })
  })

  test('a redelivery skips events of another organization', async () => {
    await tell(2)
    await deliverer.tick()
    const mine = orgId
    orgId = await found()
    expect(await redeliverAll({ after: 0 })).toMatchObject({ count: 0 })
    const [event] = await testing.database.transaction((tx) =>
      listEvents(tx, { orgId: mine, filter: {}, place: null, limit: 1 }),
    )
    await expect(redeliver(event?.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await deliverer.tick()).toBe(0)
  })
})

describe('old attempts', () => {
  test('old attempts are deleted, and their events stay unchanged', async () => {
    await tell(1)
    await deliverer.tick()
    await testing.clock.advance(DAY)
    await tell(1)
    await deliverer.tick()
    await testing.clock.advance(DAY)
    const before = testing.clock.now() - 1.5 * DAY
    expect(await purgeAttempts(testing.database, { before })).toBe(1)
    expect(await purgeAttempts(testing.database, { before })).toBe(0)
    const events = await list({ delivery: 'delivered' })
    expect(events.map(({ attempts, lastStatus }) => [attempts, lastStatus])).toEqual([
      [1, 200],
      [1, null],
    ])
    expect((await read(events[1]?.id)).attempts).toEqual([])
  })
})

async function found(): Promise<string> {
  return foundHooked({ ...testing, serviceKey, random }, `${receiver.url}/hook`)
}

async function tell(count: number): Promise<void> {
  await testing.database.transaction(async (tx) => {
    for (let at = 0; at < count; at += 1)
      appendEvent(tx, { orgId, type: 'gas.low', subjectId: 'subject', payload: lowGas(`${at}`) })
  })
}

/** As the API does it, in the role that sees one organization. */
function redeliver(id = '') {
  return testing.database.forOrg(orgId, (tx) => redeliverEvent(tx, { orgId, id, actor }))
}

function matching(filter: EventFilter): AsyncGenerator<Redelivered, void> {
  const given = { orgId, filter, actor }
  return redeliverMatching(given, (work) => testing.database.forOrg(given.orgId, work))
}

async function redeliverAll(filter: EventFilter): Promise<Redelivered | null> {
  let last: Redelivered | null = null
  for await (const told of matching(filter)) last = told
  return last
}

function list(filter: EventFilter) {
  return testing.database.forOrg(orgId, (tx) =>
    listEvents(tx, { orgId, filter, place: null, limit: 10_000 }),
  )
}

function read(id = '') {
  return testing.database.forOrg(orgId, (tx) => readEvent(tx, { orgId, id }))
}

/** Delivers until no delivery is left. */
async function giveUp(): Promise<void> {
  expect(await deliverer.tick()).toBe(1)
  for (const delay of SCHEDULE) {
    await testing.clock.advance(delay - 1)
    expect(await deliverer.tick()).toBe(0)
    await testing.clock.advance(1)
    expect(await deliverer.tick()).toBe(1)
  }
  await testing.clock.advance(DAY)
  expect(await deliverer.tick()).toBe(0)
}

async function countRows(): Promise<number> {
  const { n } = await testing.database.transaction((tx) =>
    tx.one(sql<{ n: number }>`select count(*) as n from deliveries where org_id = ${orgId}`),
  )
  return n
}

async function dueNow(): Promise<number> {
  const now = new Date(testing.clock.now()).toISOString()
  const { n } = await testing.database.transaction((tx) =>
    tx.one(sql<{ n: number }>`
      select count(*) as n
        from deliveries
       where state = 'pending'
         and next_at <= ${now}`),
  )
  return n
}
