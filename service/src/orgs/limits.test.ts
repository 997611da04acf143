import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SeededRandom } from '../../test/support/clock.ts'
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { Outage } from '../base/fault.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { type Limits, openLimits } from './limits.ts'

const serviceKey = openServiceKey({
  key: new Uint8Array(32).fill(9),
  random: new SeededRandom('limits'),
})
const MINUTE = 60_000
const rates = { reads: 10, writes: 3, depositAddresses: 0 }

let world: TestDatabase
beforeAll(async () => {
  world = await openTestDatabase()
})
afterAll(() => world.close())
// Each test uses a separate minute.
beforeEach(() => world.clock.advance(MINUTE))

function open(): Limits {
  return openLimits({ clock: world.clock, serviceKey, rates })
}

function takeMany(limits: Limits, count: number, who = 'ann'): (boolean | undefined)[] {
  return Array.from({ length: count }, () => limits.take('reads', who)?.exceeded)
}

describe('limits', () => {
  test('a limit allows its number of requests and returns the remaining ones [S12]', async () => {
    const limits = open()
    const taken = Array.from({ length: 4 }, () => limits.take('writes', 'ann'))
    expect(taken).toEqual([
      { limit: 3, remaining: 2, resetMs: MINUTE, exceeded: false },
      { limit: 3, remaining: 1, resetMs: MINUTE, exceeded: false },
      { limit: 3, remaining: 0, resetMs: MINUTE, exceeded: false },
      { limit: 3, remaining: 0, resetMs: MINUTE, exceeded: true },
    ])
    await world.clock.advance(MINUTE - 1)
    expect(limits.take('writes', 'ann')).toMatchObject({ resetMs: 1, exceeded: true })
    await world.clock.advance(1)
    expect(limits.take('writes', 'ann')).toMatchObject({ remaining: 2, exceeded: false })
  })

  test('limits count each kind and subject separately, and a rate of 0 is unlimited', () => {
    const limits = open()
    expect(takeMany(limits, 11).filter(Boolean)).toHaveLength(1)
    expect(limits.take('writes', 'ann')?.exceeded).toBe(false)
    expect(limits.take('reads', 'bob')?.exceeded).toBe(false)
    expect(limits.take('depositAddresses', 'ann')).toBeNull()
  })

  test('a limit holds for several processes together', async () => {
    const [one, two] = [open(), open()]
    takeMany(one, 6)
    takeMany(two, 3)
    await one.settle(world.database)
    await two.settle(world.database)
    // The second has all nine; the first gets the second's three with its next settlement.
    expect(two.take('reads', 'ann')).toMatchObject({ remaining: 0, exceeded: false })
    expect(two.take('reads', 'ann')?.exceeded).toBe(true)
    await two.settle(world.database)
    takeMany(one, 1)
    await one.settle(world.database)
    expect(one.take('reads', 'ann')?.exceeded).toBe(true)
  })

  test('limits keep requests counted during a settlement', async () => {
    const limits = open()
    takeMany(limits, 4)
    const settling = limits.settle(world.database)
    takeMany(limits, 4)
    await settling
    expect(limits.take('reads', 'ann')?.remaining).toBe(1)
    await limits.settle(world.database)
    expect(limits.take('reads', 'ann')?.remaining).toBe(0)
    const fresh = open()
    takeMany(fresh, 1)
    await limits.settle(world.database)
    await fresh.settle(world.database)
    expect(fresh.take('reads', 'ann')?.exceeded).toBe(true)
  })

  test('a late settlement does not restore counts of an expired window', async () => {
    const [late, prompt] = [open(), open()]
    takeMany(late, 9)
    await world.clock.advance(MINUTE)
    takeMany(prompt, 1)
    await prompt.settle(world.database)
    await late.settle(world.database)
    takeMany(prompt, 1)
    await prompt.settle(world.database)
    expect(prompt.take('reads', 'ann')?.remaining).toBe(7)
  })

  test('limits count per process and refuse no request without the database [S13]', async () => {
    const limits = open()
    const away = async () => Promise.reject(new Outage('database', 'away'))
    takeMany(limits, 5)
    const database = { ...world.database, transaction: away }
    await expect(limits.settle(database)).rejects.toThrow(Outage)
    expect(takeMany(limits, 6).map(Boolean)).toEqual([false, false, false, false, false, true])
  })

  test('limits count further unknown addresses as one subject [S12]', () => {
    const limits = open()
    for (let stranger = 0; stranger < 50_000; stranger += 1) limits.take('reads', `${stranger}`)
    const more = Array.from({ length: 11 }, (_, at) => limits.take('reads', `more ${at}`))
    expect(more.map((taken) => taken?.exceeded)).toEqual([...Array(10).fill(false), true])
  })

  test('unknown addresses do not reduce the limits of users [S12]', () => {
    const limits = open()
    for (let stranger = 0; stranger < 51_000; stranger += 1) limits.take('reads', `${stranger}`)
    expect(limits.take('reads', 'one more')?.exceeded).toBe(true)
    for (const who of ['ann', 'bob']) {
      const taken = limits.take('reads', who, { isKnown: true })
      expect(taken).toMatchObject({ remaining: 9, exceeded: false })
    }
    // Users do not reduce the room for unknown addresses.
    const other = open()
    for (let user = 0; user < 50_000; user += 1) other.take('reads', `${user}`, { isKnown: true })
    for (const stranger of ['one', 'two'])
      expect(other.take('reads', stranger)).toMatchObject({ remaining: 9 })
  })

  test('limits store neither addresses nor users in the database', async () => {
    const limits = open()
    limits.take('reads', '203.0.113.7')
    await limits.settle(world.database)
    const rows = await world.database.transaction((tx) =>
      tx.many(sql<{ subject: Uint8Array }>`select subject from request_counts`),
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const { subject } of rows) expect(subject).toHaveLength(32)
  })
})
