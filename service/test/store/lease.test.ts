import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { Database } from '../../src/store/database.ts'
import {
  assertLease,
  LeaseLost,
  releaseLease,
  renewLease,
  renewTogether,
  takeLease,
} from '../../src/store/lease.ts'
import type { Lease } from '../../src/store/lease.ts'
import { countWaiting } from '../support/database.ts'
import { openTiny } from './tiny.ts'
import type { Tiny } from './tiny.ts'

let tiny: Tiny
let database: Database

beforeAll(async () => {
  tiny = await openTiny()
  database = tiny.database
})
afterAll(() => tiny.close())

/** Lets a lease's time pass without waiting for it. */
function expire(name: string): Promise<number> {
  return database.transaction((tx) =>
    tx.run(sql`update leases set expires_at = clock_timestamp() where name = ${name}`),
  )
}

async function take(name: string, holder: string): Promise<Lease> {
  const lease = await takeLease(database, { name, holder })
  if (lease === null) throw new Error(`${name} is held by another`)
  return lease
}

function stepUnder(lease: Lease, jar: string): Promise<number> {
  return database.transaction(async (tx) => {
    await assertLease(tx, lease)
    return tx.run(sql`insert into jars (id, amount) values (${jar}, 1)`)
  })
}

function hasJar(id: string): Promise<boolean> {
  return database.transaction(
    async (tx) => (await tx.maybe(sql`select 1 from jars where id = ${id}`)) !== null,
  )
}

test('one of many concurrent processes gets the lease [W21]', async () => {
  const asked = Array.from({ length: 20 }, (_, at) =>
    takeLease(database, { name: 'crowd', holder: `process ${at}` }),
  )
  const got = (await Promise.all(asked)).filter((lease) => lease !== null)
  expect(got).toHaveLength(1)
  expect(got[0]?.token).toBe(1)
})

test('the holder takes its lease again with the same token, another cannot [W21]', async () => {
  const lease = await take('kept', 'a')
  expect(await take('kept', 'a')).toEqual(lease)
  expect(await takeLease(database, { name: 'kept', holder: 'b' })).toBeNull()
  expect(await stepUnder(lease, 'kept')).toBe(1)
})

test('an expired lease is taken over with the next token [W21]', async () => {
  const first = await take('passed on', 'a')
  await expire('passed on')
  const second = await take('passed on', 'b')
  expect(second.token).toBe(first.token + 1)
  expect(await takeLease(database, { name: 'passed on', holder: 'a' })).toBeNull()
})

test('a holder that returns after its lease expired gets a new token [W21]', async () => {
  const first = await take('comes back', 'a')
  await expire('comes back')
  expect((await take('comes back', 'a')).token).toBe(first.token + 1)
})

test('a holder whose lease expired cannot commit [W23]', async () => {
  const lease = await take('slept', 'a')
  await expire('slept')
  await expect(stepUnder(lease, 'slept')).rejects.toBeInstanceOf(LeaseLost)
  expect(await renewLease(database, lease)).toBe(false)
  expect(await hasJar('slept')).toBe(false)
})

test('a process whose lease is held by another cannot commit [W23]', async () => {
  const old = await take('fenced', 'a')
  await expire('fenced')
  const current = await take('fenced', 'b')
  for (const claimed of [old, { ...current, holder: 'a' }, { ...current, token: 99 }])
    await expect(stepUnder(claimed, 'fenced')).rejects.toBeInstanceOf(LeaseLost)
  expect(await hasJar('fenced')).toBe(false)
  expect(await stepUnder(current, 'fenced')).toBe(1)
})

test('a step keeps its lease until its commit: a takeover waits [W23]', async () => {
  const lease = await take('held', 'a')
  const order: string[] = []
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  let asserted: () => void = () => undefined
  const isAsserted = new Promise<void>((resolve) => (asserted = resolve))
  const step = database.transaction(async (tx) => {
    await assertLease(tx, lease)
    asserted()
    await released
    order.push('committed')
  })
  await isAsserted
  const takeover = database
    .transaction((tx) => tx.run(sql`update leases set holder = 'b' where name = 'held'`))
    .then(() => order.push('taken over'))
  await expect.poll(() => countWaiting(tiny.empty), { timeout: 10_000 }).toBe(1)
  release()
  await Promise.all([step, takeover])
  expect(order).toEqual(['committed', 'taken over'])
})

test('a renewal extends the lease by the requested time [W21]', async () => {
  const lease = await take('renewed', 'a')
  expect(await renewLease(database, lease, 60_000)).toBe(true)
  const { left } = await database.transaction((tx) =>
    tx.one(sql<{ left: boolean }>`
      select expires_at > clock_timestamp() + interval '50 s' as left
        from leases
       where name = 'renewed'`),
  )
  expect(left).toBe(true)
})

test('leases renewed together do not wait for a locked one [W21]', async () => {
  const [free, locked, lost] = [
    await take('free', 'a'),
    await take('locked', 'a'),
    await take('lost', 'a'),
  ]
  await expire('lost')
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  let asserted: () => void = () => undefined
  const isAsserted = new Promise<void>((resolve) => (asserted = resolve))
  const step = database.transaction(async (tx) => {
    await assertLease(tx, locked)
    asserted()
    await released
  })
  await isAsserted
  const world = { database, clock: systemClock }
  const [first, second, third] = [free, locked, lost].map((lease) =>
    renewTogether(world, lease, new AbortController().signal),
  )
  expect(await first).toBe(true)
  expect(await third).toBe(false)
  release()
  expect(await second).toBe(true)
  await step
})

test('a released lease can be taken at once, and the next token is higher [W21]', async () => {
  const first = await take('given back', 'a')
  await releaseLease(database, first)
  const second = await take('given back', 'b')
  expect(second.token).toBe(first.token + 1)
  await releaseLease(database, first)
  expect(await stepUnder(second, 'given back')).toBe(1)
})
