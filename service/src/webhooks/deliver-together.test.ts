import { startReceiver } from '@sluice/simulator'
import type { Receiver } from '@sluice/simulator'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SeededRandom, silentLog } from '../../test/support/clock.ts'
import { openTestDatabase } from '../../test/support/database.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import { iso } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import { foundHooked } from '../../test/support/hooked-organization.ts'
import { openServiceKey } from '../keys/service-key.ts'
import type { Database } from '../store/database.ts'
import { openDeliverer } from './deliver.ts'
import type { Deliverer, DelivererOptions } from './deliver.ts'
import { FIRST_ENDPOINT } from './delivery-rows.ts'
import { leaseBatch } from './lease-batch.ts'
import type { Batch, LeaseRequest } from './lease-batch.ts'
import { readEvent } from './list-events.ts'
import { appendEvent } from './outbox.ts'
import { lowGas } from '../../test/support/sample-event.ts'

const random = new SeededRandom('deliver together')
const serviceKey = openServiceKey({ key: new Uint8Array(32).fill(7), random })

let testing: TestDatabase
const ends: (() => Promise<void>)[] = []

beforeEach(async () => {
  testing = await openTestDatabase({ poolMax: 10 })
  ends.push(() => testing.close())
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

describe('many deliveries', () => {
  test('a hanging receiver occupies its own share and delays no other [H04]', async () => {
    const hanging = await receive()
    hanging.behave({ do: 'hang' })
    const quick = await receive()
    const stuck = await found(hanging)
    const lively = await found(quick)
    await tell(stuck, 40)
    await tell(lively, 300)
    const { stop } = start([hanging, quick])
    await quick.waitFor((received) => received.length === 300)
    await hanging.waitFor((received) => received.length === 8)
    await untilDelivered(lively, 300)
    expect(hanging.received).toHaveLength(8)
    expect(await countBy(stuck)).toEqual({ pending: 40 })
    await stop()
  })

  test('two concurrent deliverers send every event exactly once', async () => {
    const receivers = [await receive(), await receive(), await receive()]
    const orgIds: string[] = []
    for (const receiver of receivers) orgIds.push(await found(receiver))
    for (const orgId of orgIds) await tell(orgId, 120)
    const [one, two] = [start(receivers), start(receivers)]
    for (const orgId of orgIds) await untilDelivered(orgId, 120)
    await Promise.all([one.stop(), two.stop()])
    for (const { received } of receivers) {
      expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(120)
      expect(received).toHaveLength(120)
    }
  })

  test('events are readable whose attempts were stored with failed ones', async () => {
    const [broken, quick] = [await receive(), await receive()]
    broken.behave({ do: 'answer', status: 500 })
    const [failing, lively] = [await found(broken), await found(quick)]
    await tell(failing, 40)
    await tell(lively, 40)
    const { stop } = start([broken, quick])
    await broken.waitFor((received) => received.length === 40)
    await untilDelivered(lively, 40)
    await stop()
    for (const { headers } of quick.received) {
      const id = headers['webhook-id'] ?? ''
      const read = testing.database.forOrg(lively, (tx) => readEvent(tx, { orgId: lively, id }))
      expect((await read).attempts).toMatchObject([{ status: 200, responseHeaders: {} }])
    }
  })

  test('deliveries of one lease are sent with their own texts', async () => {
    const receiver = await receive()
    const orgId = await found(receiver)
    await tell(orgId, 30)
    await emitText(orgId, '{"note":\n"a separate line",\n"sign":"日本 🪙"}')
    await emitText(orgId, `{"marks":"'\\\\ \\",\u2028\r\t{}"}`)
    await tell(orgId, 30)
    const { stop } = start([receiver])
    await receiver.waitFor((received) => received.length === 62)
    await stop()
    const sent = receiver.received.map(({ headers, body }) => [headers['webhook-id'], body])
    expect(Object.fromEntries(sent)).toEqual(await textsOf(orgId))
  })

  test('a committed event is sent at a wake-up or the next poll', async () => {
    const receiver = await receive()
    const orgId = await found(receiver)
    const { deliverer, stop } = start([receiver], 250)
    await untilSleeping()
    await tell(orgId, 1)
    deliverer.wake()
    await receiver.waitFor((received) => received.length === 1)
    await tell(orgId, 1)
    await untilSleeping()
    await testing.clock.advance(250)
    await receiver.waitFor((received) => received.length === 2)
    await stop()
  })

  test('a batch is shared evenly over the waiting organizations', async () => {
    const receiver = await receive()
    const big = await found(receiver)
    const small = [await found(receiver), await found(receiver), await found(receiver)]
    await tell(big, 100)
    for (const orgId of small) await tell(orgId, 1)
    const first = await lease({ limit: 20, roomOf: () => 50 })
    expect(sizes(first)).toEqual(new Map([[big, 5], ...small.map((id) => [id, 1] as const)]))
    expect(sizes(await lease({ limit: 20, full: [big] }))).toEqual(new Map())
    expect(sizes(await lease({ limit: 20, roomOf: () => 7 }))).toEqual(new Map([[big, 7]]))
  })

  test('each organization gets its turn when more wait than a batch holds', async () => {
    const receiver = await receive()
    const orgIds: string[] = []
    for (let at = 0; at < 5; at += 1) orgIds.push(await found(receiver))
    for (const orgId of orgIds) await tell(orgId, 3)
    const turns: string[] = []
    let leased = 0
    let after = FIRST_ENDPOINT
    for (let at = 0; at < 8; at += 1) {
      const batch = await lease({ limit: 2, after })
      after = batch.after
      turns.push(...sizes(batch).keys())
      leased += batch.lanes.flatMap(({ deliveries }) => deliveries).length
    }
    expect(turns.slice(0, 5)).toEqual([...orgIds].sort())
    expect(leased).toBe(15)
  })
})

describe('a deliverer that ends', () => {
  test('the next deliverer continues after a crash, with the same ids [H10]', async () => {
    const receiver = await receive()
    const orgId = await found(receiver)
    await tell(orgId, 1)
    // A process that crashes between its lease and its first write.
    const { lanes } = await lease({})
    const deliverer = open([receiver])
    await testing.clock.advance(44_999)
    expect(await deliverer.tick()).toBe(0)
    await testing.clock.advance(1)
    expect(await deliverer.tick()).toBe(1)
    const [got] = receiver.received
    expect(got?.headers['webhook-id']).toBe(lanes[0]?.deliveries[0]?.eventId)
    expect(await countBy(orgId)).toEqual({ delivered: 1 })
  })

  test('a stopped deliverer releases unfinished deliveries without counting attempts', async () => {
    const receiver = await receive()
    receiver.behave({ do: 'hang' })
    const orgId = await found(receiver)
    await tell(orgId, 20)
    const { stop } = start([receiver])
    await receiver.waitFor((received) => received.length === 8)
    await stop()
    receiver.behave({ do: 'answer', status: 200 })
    expect(await open([receiver]).tick()).toBe(20)
    expect(receiver.received).toHaveLength(28)
    expect(await countBy(orgId)).toEqual({ delivered: 20 })
    expect(await countAttempts(orgId)).toBe(20)
  })

  test('an attempt after the expiry of its lease is void, and only the other counts', async () => {
    const receiver = await receive()
    const orgId = await found(receiver)
    await tell(orgId, 1)
    receiver.script({ do: 'hang' })
    const slow = open([receiver], { limits: { leaseMs: 10_000 } })
    const ticking = slow.tick()
    await receiver.waitFor((received) => received.length === 1)
    await testing.clock.advance(10_000)
    expect(await open([receiver]).tick()).toBe(1)
    await testing.clock.advance(20_000)
    expect(await ticking).toBe(1)
    expect(receiver.received).toHaveLength(2)
    expect(await countBy(orgId)).toEqual({ delivered: 1 })
    expect(await countAttempts(orgId)).toBe(1)
  })

  test('a stopping deliverer stores attempts after a database outage', async () => {
    const receiver = await receive()
    const orgId = await found(receiver)
    await tell(orgId, 5)
    let outages = 2
    let steps = 0
    const transaction: Database['transaction'] = async (work) => {
      steps += 1
      if (steps === 1 || outages === 0) return testing.database.transaction(work)
      outages -= 1
      throw new Outage('database', 'away')
    }
    const deliverer = open([receiver], { database: { ...testing.database, transaction } })
    const ticking = deliverer.tick()
    await receiver.waitFor((received) => received.length === 5)
    for (let waits = 0; waits < 2; waits += 1) {
      await untilSleeping()
      await testing.clock.advance(500)
    }
    expect(await ticking).toBe(5)
    expect([outages, receiver.received.length]).toEqual([0, 5])
    expect(await countBy(orgId)).toEqual({ delivered: 5 })
  })
})

async function receive(): Promise<Receiver> {
  const receiver = await startReceiver()
  ends.push(() => receiver.stop())
  return receiver
}

function open(receivers: readonly Receiver[], options: Partial<DelivererOptions> = {}): Deliverer {
  const devOrigins = receivers.map(({ url }) => new URL(url).origin)
  const deliverer = openDeliverer({
    database: testing.database,
    serviceKey,
    clock: testing.clock,
    log: silentLog(),
    rules: { allowHttp: false, allowPrivate: false, devOrigins },
    resolve: async () => [],
    ...options,
  })
  ends.push(() => deliverer.close())
  return deliverer
}

/** A running deliverer; `stop` ends it as a signal to the process would, after the grace period. */
function start(receivers: readonly Receiver[], pollMs = 1) {
  const deliverer = open(receivers, { limits: { graceMs: 0, pollMs } })
  const signal = new AbortController()
  const running = deliverer.run(signal.signal)
  const stop = async () => {
    signal.abort()
    await running
  }
  ends.push(stop)
  return { deliverer, stop }
}

async function found(receiver: Receiver): Promise<string> {
  return foundHooked({ ...testing, serviceKey, random }, `${receiver.url}/hook`)
}

async function tell(orgId: string, count: number): Promise<void> {
  await testing.database.transaction(async (tx) => {
    for (let at = 0; at < count; at += 1)
      appendEvent(tx, { orgId, type: 'gas.low', subjectId: 'subject', payload: lowGas(`${at}`) })
  })
}

/** An event whose text another writer stored. */
async function emitText(orgId: string, body: string): Promise<void> {
  await testing.database.transaction(async (tx) => {
    const [id, now] = [tx.ids.next(), iso(tx.clock.now())]
    const sequence = 1_000 + body.length
    await tx.run(sql`
      insert into events (org_id, id, sequence, type, subject_id, body, created_at)
      values (${orgId}, ${id}, ${sequence}, 'gas.low', 'subject', ${body}, ${now})`)
    await tx.run(sql`
      insert into deliveries (org_id, event_id, endpoint_id, sequence, state, next_at)
      values (${orgId}, ${id}, ${orgId}, ${sequence}, 'pending', ${now})`)
  })
}

/** The texts of an organization's events by their ids. */
async function textsOf(orgId: string): Promise<Record<string, string>> {
  const rows = await testing.database.transaction((tx) =>
    tx.many(sql<{ id: string; body: string }>`select id, body from events where org_id = ${orgId}`),
  )
  return Object.fromEntries(rows.map(({ id, body }) => [id, body]))
}

function lease(request: Partial<LeaseRequest>) {
  const defaults = {
    limit: 50,
    leaseMs: 45_000,
    full: [],
    roomOf: () => 8,
    after: FIRST_ENDPOINT,
  }
  const deps = { database: testing.database, serviceKey, log: silentLog() }
  return leaseBatch(deps, { ...defaults, ...request })
}

/** The deliveries to each endpoint in a batch. */
function sizes({ lanes }: Batch): Map<string, number> {
  return new Map(lanes.map(({ endpointId, deliveries }) => [endpointId, deliveries.length]))
}

/** The deliveries of an organization in each state. */
async function countBy(orgId: string): Promise<Record<string, number>> {
  const rows = await testing.database.transaction((tx) =>
    tx.many(sql<{ state: string; count: number }>`
      select state, count(*)
        from deliveries
       where org_id = ${orgId}
       group by state`),
  )
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

async function countAttempts(orgId: string): Promise<number> {
  const { count } = await testing.database.transaction((tx) =>
    tx.one(sql<{ count: number }>`
      select count(*)
        from delivery_attempts
       where org_id = ${orgId}`),
  )
  return count
}

async function untilDelivered(orgId: string, count: number): Promise<void> {
  for (;;) {
    if ((await countBy(orgId))['delivered'] === count) return
    await testing.clock.advance(1)
  }
}

/** Waits until the deliverer waits for the clock, however long the database takes. */
async function untilSleeping(): Promise<void> {
  while (testing.clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve))
}
