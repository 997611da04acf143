import { expect, test } from 'vitest'
import { ManualClock, silentLog } from '../../test/support/clock.ts'
import { openEventWatch } from './watch-events.ts'

const POLL_MS = 250
const WAITS_OF_ORG_MAX = 100
const WAITS_MAX = 1_000

/** A watch over a database that fails, and the number of its queries. */
function openWatch() {
  const clock = new ManualClock()
  const queries = { count: 0 }
  const fail = async (): Promise<never> => {
    queries.count += 1
    throw new TypeError('a bug')
  }
  const watch = openEventWatch({ database: { transaction: fail }, clock, log: silentLog() })
  const next = (orgId: string, { signal } = new AbortController()) =>
    watch.next({ orgId, seen: 0, until: clock.now() + 25_000, signal })
  return { clock, watch, queries, next }
}

test('waits are limited for an organization and for the process', async () => {
  const { watch, next, queries } = openWatch()
  const waits: Promise<boolean>[] = []
  for (let org = 0; waits.length < WAITS_MAX; org += 1) {
    for (let at = 0; at < WAITS_OF_ORG_MAX; at += 1) waits.push(next(`org ${org}`))
    expect(await next(`org ${org}`)).toBe(false)
  }
  expect(await next('another')).toBe(false)
  watch.close()
  expect(new Set(await Promise.all(waits))).toEqual(new Set([false]))
  expect(queries.count).toBe(0)
})

test('the database is queried only while a request waits', async () => {
  const { clock, next, queries } = openWatch()
  const client = new AbortController()
  const wait = next('org', client)
  client.abort()
  expect(await wait).toBe(false)
  await clock.advance(10 * POLL_MS)
  expect([queries.count, clock.sleeping]).toEqual([0, 0])
})

test('a bug ends the waits, and later ones query again', async () => {
  const { clock, next, queries } = openWatch()
  for (const count of [1, 2]) {
    const wait = next('org')
    await clock.advance(POLL_MS)
    expect([await wait, queries.count, clock.sleeping]).toEqual([false, count, 0])
  }
})

test('a watch that is closed waits for nothing', async () => {
  const { watch, next, clock } = openWatch()
  watch.close()
  expect(await next('org')).toBe(false)
  expect(clock.sleeping).toBe(0)
})
