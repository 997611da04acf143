import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SeededRandom, silentLog } from '../../test/support/clock.ts'
import { openTestDatabase } from '../../test/support/database.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import { lowGas } from '../../test/support/sample-event.ts'
import { assert } from '../base/assert.ts'
import { foundHooked } from '../../test/support/hooked-organization.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { openSubjects } from '../alerts/raise-alert.ts'
import type { Database } from '../store/database.ts'
import { CommitUnknown } from '../store/outage.ts'
import type { Attempt, Delivery } from './delivery.ts'
import { FIRST_ENDPOINT } from './delivery-rows.ts'
import { leaseBatch } from './lease-batch.ts'
import { appendEvent } from './outbox.ts'
import { Settler } from './settler.ts'

const LEASE_MS = 45_000
const random = new SeededRandom('failure alerts')
const serviceKey = openServiceKey({ key: random.bytes(32), random })

let testing: TestDatabase
let orgId: string

beforeEach(async () => {
  testing = await openTestDatabase()
  orgId = await foundHooked({ ...testing, serviceKey, random }, 'https://hooks.example/sluice')
})
afterEach(() => testing.close())

test('webhook.failed resolves with a delivery whose commit had no answer [O09]', async () => {
  const database = forgetful()
  const settler = open(database)
  await settle(settler, accepted(await lease()))
  database.losesNext = true
  await settle(settler, failed(await lease()))
  expect(await openNow()).toEqual([orgId])
  await settle(settler, accepted(await lease()))
  expect(await openNow()).toEqual([])
})

test('webhook.failed is not raised for a delivery held by another process [O09]', async () => {
  const settler = open(testing.database)
  const late = await lease()
  await testing.clock.advance(LEASE_MS)
  await appendOne()
  const [again, other] = await leaseAll()
  assert(other !== undefined, 'no delivery was leased')
  expect(again?.eventId).toBe(late.eventId)
  await settle(settler, failed(late), failed(other))
  expect(await openNow()).toEqual([])
})

/** Commits, and loses the answer once. */
function forgetful(): Database & { losesNext: boolean } {
  const { database } = testing
  const transaction: Database['transaction'] = async (work) => {
    const result = await database.transaction(work)
    if (!losing.losesNext) return result
    losing.losesNext = false
    throw new CommitUnknown('database', 'lost while it committed')
  }
  const losing = { ...database, transaction, losesNext: false }
  return losing
}

function open(database: Database): Settler {
  return new Settler({ database, clock: testing.clock, log: silentLog(), isRush: () => true })
}

/** Resolves when all of them are stored, in one commit. */
async function settle(settler: Settler, ...attempts: Attempt[]): Promise<void> {
  for (const attempt of attempts) settler.settle(attempt)
  const over = settler.idle().then(() => true)
  const pass = () => testing.clock.advance(testing.clock.sleeping === 0 ? 0 : 500)
  while (!(await Promise.race([over, pass().then(() => false)]))) continue
}

async function appendOne(): Promise<void> {
  await testing.database.transaction(async (tx) => {
    appendEvent(tx, { orgId, type: 'gas.low', subjectId: 'subject', payload: lowGas('low') })
  })
}

/** All due deliveries, oldest first. */
async function leaseAll(): Promise<Delivery[]> {
  const deps = { database: testing.database, serviceKey, log: silentLog() }
  const request = { limit: 50, leaseMs: LEASE_MS, full: [], roomOf: () => 50 }
  const { lanes } = await leaseBatch(deps, { ...request, after: FIRST_ENDPOINT })
  return lanes.flatMap(({ deliveries }) => deliveries)
}

/** A new event's delivery, leased before its last attempt. */
async function lease(): Promise<Delivery> {
  await appendOne()
  await testing.database.transaction((tx) =>
    tx.run(sql`update deliveries set attempts = 5 where state = 'pending'`),
  )
  const [delivery] = await leaseAll()
  assert(delivery !== undefined, 'no delivery was leased')
  return delivery
}

const accepted = (delivery: Delivery) => attempted(delivery, 200)
const failed = (delivery: Delivery) => attempted(delivery, 500)

function attempted(delivery: Delivery, status: number): Attempt {
  const now = testing.clock.now()
  return {
    delivery,
    number: delivery.attempts + 1,
    url: 'https://hooks.example/sluice',
    signature: null,
    answer: { status, headers: {}, body: '', error: '' },
    startedAt: now,
    endedAt: now,
  }
}

/** The organizations with the alert. */
function openNow(): Promise<string[]> {
  return testing.database.transaction((tx) => openSubjects(tx, 'webhook.failed'))
}
