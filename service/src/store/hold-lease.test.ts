import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '../../test/support/clock.ts'
import { type TestDatabase, openTestDatabase } from '../../test/support/database.ts'
import { systemClock } from '../base/clock.ts'
import { holdLease } from './hold-lease.ts'
import { type Lease, takeLease } from './lease.ts'

let opened: TestDatabase

beforeAll(async () => {
  opened = await openTestDatabase()
})

afterAll(async () => {
  await opened.close()
})

const world = () => ({ database: opened.database, clock: systemClock, log: silentLog() })

test('the work runs under the lease, which is released at its end', async () => {
  const stop = new AbortController()
  const seen: Lease[] = []
  await holdLease(world(), { name: 'one', holder: 'a' }, stop.signal, async (lease) => {
    seen.push(lease)
    stop.abort()
  })
  expect(seen).toHaveLength(1)
  const next = await takeLease(opened.database, { name: 'one', holder: 'b' })
  expect(next?.token).toBe((seen[0]?.token ?? 0) + 1)
})

test('a second process works only after the first has ended', async () => {
  const stop = new AbortController()
  const firstStop = new AbortController()
  const order: string[] = []
  const name = 'two'
  let begun: () => void = () => undefined
  const beginning = new Promise<void>((resolve) => {
    begun = resolve
  })
  const first = holdLease(world(), { name, holder: 'a' }, firstStop.signal, async (_, term) => {
    order.push('a begins')
    begun()
    await systemClock.sleep(60_000, term)
    order.push('a ends')
  })
  await beginning
  const second = holdLease(world(), { name, holder: 'b' }, stop.signal, async () => {
    order.push('b begins')
    stop.abort()
  })
  firstStop.abort()
  await Promise.all([first, second])
  expect(order).toEqual(['a begins', 'a ends', 'b begins'])
})

test('an abort while the lease is being taken starts no work', async () => {
  const stop = new AbortController()
  let isStopped = true
  const work = async (_: Lease, term: AbortSignal) => {
    isStopped = term.aborted
  }
  const holding = holdLease(world(), { name: 'four', holder: 'a' }, stop.signal, work)
  stop.abort()
  await holding
  expect(isStopped).toBe(true)
})

test('an error of the work is thrown, and the lease is released', async () => {
  const stop = new AbortController()
  const work = () => Promise.reject(new Error('a bug'))
  await expect(
    holdLease(world(), { name: 'three', holder: 'a' }, stop.signal, work),
  ).rejects.toThrow('a bug')
  const next = await takeLease(opened.database, { name: 'three', holder: 'b' })
  expect(next).not.toBeNull()
})
