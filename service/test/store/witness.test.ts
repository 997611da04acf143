import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { withSession } from '../../src/store/connection.ts'
import type { Database } from '../../src/store/database.ts'
import { assertLease, LeaseLost, renewLease, takeLease } from '../../src/store/lease.ts'
import type { Lease } from '../../src/store/lease.ts'
import { countWaiting } from '../support/database.ts'
import { openLine } from './line.ts'
import type { Line } from './line.ts'
import { openTiny } from './tiny.ts'
import type { Tiny } from './tiny.ts'

let tiny: Tiny
const lines: Line[] = []

beforeAll(async () => {
  tiny = await openTiny()
})
afterEach(() => lines.splice(0).forEach((line) => line.cut()))
afterAll(() => tiny.close())

/** A separate process, as the server sees it: cutting its connection acts as kill -9. */
async function openProcess(
  change?: (data: Buffer) => Buffer,
): Promise<{ database: Database; line: Line }> {
  const { engine } = tiny.empty.urls
  const line = await openLine(engine, change)
  lines.push(line)
  const urls = { ...tiny.empty.urls, engine: line.through(engine) }
  return { database: tiny.reopen({ urls }), line }
}

async function take(database: Database, name: string): Promise<Lease> {
  const lease = await takeLease(database, { name, holder: 'first' })
  if (lease === null) throw new Error(`${name} is held by another`)
  return lease
}

const applyFor = (name: string) => takeLease(tiny.database, { name, holder: 'second' })

async function untilTaken(name: string): Promise<Lease> {
  for (;;) {
    const lease = await applyFor(name)
    if (lease !== null) return lease
  }
}

const stepUnder = (database: Database, lease: Lease) =>
  database.transaction((tx) => assertLease(tx, lease))

test('the lease of a killed holder is taken over at once with the next token [W21]', async () => {
  const { database, line } = await openProcess()
  const lease = await take(database, 'killed')
  line.cut()
  const next = await untilTaken('killed')
  expect(next.token).toBe(lease.token + 1)
  await expect(stepUnder(tiny.database, lease)).rejects.toBeInstanceOf(LeaseLost)
})

test('a live holder keeps its lease while others try to take it [W21]', async () => {
  const { database } = await openProcess()
  const lease = await take(database, 'alive')
  for (let times = 0; times < 20; times += 1) expect(await applyFor('alive')).toBeNull()
  await stepUnder(database, lease)
})

test('a holder that lost its witness cannot commit and may try again [W23]', async () => {
  const { database } = await openProcess()
  const lease = await take(database, 'mistaken')
  await withSession(tiny.empty.adminUrl, (session) =>
    session.script(`select pg_terminate_backend(${/ (\d+)\//.exec(lease.holder)?.[1] ?? 0})`),
  )
  const next = await untilTaken('mistaken')
  await expect(stepUnder(database, lease)).rejects.toBeInstanceOf(LeaseLost)
  expect(await renewLease(database, lease)).toBe(false)
  expect(await takeLease(database, { name: 'mistaken', holder: 'first' })).toBeNull()
  await stepUnder(tiny.database, next)
})

test('a running step keeps the lease until its commit without a witness [W23]', async () => {
  const { database } = await openProcess()
  const lease = await take(database, 'amid')
  const order: string[] = []
  const pid = / (\d+)\//.exec(lease.holder)?.[1] ?? '0'
  let succeeded: Promise<unknown> = Promise.resolve()
  await database.transaction(async (tx) => {
    await assertLease(tx, lease)
    await withSession(tiny.empty.adminUrl, async (session) => {
      await session.script(`select pg_terminate_backend(${pid})`)
      succeeded = untilTaken('amid').then(() => order.push('succeeded'))
      while ((await countWaiting(tiny.empty)) === 0) order.splice(0)
    })
    order.push('committed')
  })
  await succeeded
  expect(order).toEqual(['committed', 'succeeded'])
})

test('a lease behind a pooler lasts until it expires [W21]', async () => {
  const { database, line } = await openProcess(asPooler)
  const lease = await take(database, 'pooled')
  expect(lease.holder).toBe('first')
  line.cut()
  for (let times = 0; times < 20; times += 1) expect(await applyFor('pooled')).toBeNull()
})

test('a new backend with the pid of the holder does not keep the lease [W21]', async () => {
  const { database } = await openProcess()
  const lease = await take(database, 'pid again')
  const holder = lease.holder.replace(/\/.*$/, '/1.5')
  await tiny.database.transaction((tx) =>
    tx.run(sql`update leases set holder = ${holder} where name = 'pid again'`),
  )
  expect((await applyFor('pid again'))?.token).toBe(lease.token + 1)
})

/** A pooler replaces the cancel key (message K) by one with another process number. */
function asPooler(data: Buffer): Buffer {
  const at = data.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]))
  if (at >= 0) data.writeUInt32BE(data.readUInt32BE(at + 5) + 1_000_000, at + 5)
  return data
}
