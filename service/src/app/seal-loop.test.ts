import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { sealEverything, tamper, writeEntries } from '../../test/support/audit-log.ts'
import { silentLog } from '../../test/support/clock.ts'
import { type TestDatabase, openTestDatabase } from '../../test/support/database.ts'
import { openLog } from '../base/log.ts'
import { formatHead } from '../journal/audit-head.ts'
import { listAlerts } from '../journal/list-alerts.ts'
import { readAuditHead } from '../journal/seal-audit.ts'
import { takeLease } from '../store/lease.ts'
import { UNSEALED_MAX_MS, openSealer, reportUnsealed } from './seal-loop.ts'

const HOUR_MS = 3_600_000

let db: TestDatabase
beforeEach(async () => {
  db = await openTestDatabase()
  onTestFinished(() => db.close())
})

const head = () => db.database.transaction(readAuditHead)
const alerts = async () =>
  (await db.database.transaction((tx) => listAlerts(tx, { open: true }))).map(({ code }) => code)

/** The sealer, and the heads that it has told. */
async function open(): Promise<{ tick: () => Promise<void>; told: () => string[] }> {
  const lines: string[] = []
  const destination = { write: (line: string) => lines.push(line) }
  const log = openLog({ level: 'info', pretty: false, destination })
  const lease = await takeLease(db.database, { name: 'audit-log', holder: 'one', ttlMs: HOUR_MS })
  if (lease === null) throw new Error('the lease is taken')
  const sealer = openSealer({ ...db, log }, lease)
  const tick = () => sealer(new AbortController().signal)
  return { tick, told: () => lines.map((line) => headIn(JSON.parse(line))) }
}

function headIn({ auditHead }: { auditHead: string }): string {
  return auditHead
}

test('O03 all that waits is sealed at once, and the head told once a minute at most', async () => {
  await writeEntries(db, 2_500)
  const { tick, told } = await open()
  await tick()
  expect(told()).toEqual([formatHead(await head())])
  expect(await head()).toMatchObject({ sequence: 2_500 })
  await writeEntries(db, 1)
  await db.clock.advance(59_999)
  await tick()
  expect(await head()).toMatchObject({ sequence: 2_501 })
  expect(told()).toHaveLength(1)
  await db.clock.advance(1)
  await tick()
  expect(told().slice(1)).toEqual([formatHead(await head())])
  await db.clock.advance(60_000)
  await tick()
  expect(told()).toHaveLength(2)
})

test('O03 a log written anew under a running service is told within the hour', async () => {
  await writeEntries(db, 20)
  const { tick } = await open()
  await tick()
  await tamper(
    db,
    `truncate audit_seals; insert into unsealed_entries select id from audit_log;
     update audit_log set actor = 'cli:nobody' where id = 5`,
  )
  await db.clock.advance(HOUR_MS - 1)
  await tick()
  expect(await head()).toMatchObject({ sequence: 20 })
  expect(await alerts()).toEqual([])
  await db.clock.advance(1)
  await tick()
  expect(await alerts()).toEqual(['audit_log.broken'])
})

test('O03 who has lost the lease seals nothing more', async () => {
  await writeEntries(db, 1)
  const { tick } = await open()
  await tick()
  await writeEntries(db, 1)
  await db.database.transaction((tx) => tx.run(sql`update leases set token = token + 1`))
  await expect(tick()).rejects.toThrow('no longer held')
  expect(await head()).toMatchObject({ sequence: 1 })
})

test('O03 entries that nobody seals are told after a while, until they are sealed', async () => {
  const { clock } = db
  const world = { ...db, log: silentLog() }
  await writeEntries(db, 3)
  const begun = clock.now()
  await reportUnsealed(world, begun)
  await clock.advance(UNSEALED_MAX_MS)
  await reportUnsealed(world, begun)
  expect(await alerts()).toEqual([])
  await clock.advance(1)
  await reportUnsealed(world, clock.now())
  expect(await alerts()).toEqual([])
  await reportUnsealed(world, begun)
  expect(await alerts()).toEqual(['audit_log.behind'])
  await sealEverything(db)
  await reportUnsealed(world, begun)
  expect(await alerts()).toEqual([])
})
