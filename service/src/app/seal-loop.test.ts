import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { sealEverything, tamper, writeEntries } from '../../test/support/audit-log.ts'
import { SeededRandom, silentLog } from '../../test/support/clock.ts'
import { type TestDatabase, openTestDatabase } from '../../test/support/database.ts'
import { openLog } from '../base/log.ts'
import { acceptAudit } from '../audit-log/accept-audit.ts'
import { formatHead } from '../audit-log/audit-head.ts'
import { listAlerts } from '../alerts/list-alerts.ts'
import { listAudit } from '../audit-log/list-audit.ts'
import { readAuditHead } from '../audit-log/seal-audit.ts'
import { readWaiting } from '../audit-log/verify-audit.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { takeLease } from '../store/lease.ts'
import { UNSEALED_MAX_MS, openSealer, openVerifier, reportUnsealed, sealLoop } from './seal-loop.ts'

const HOUR_MS = 3_600_000
const random = new SeededRandom('seal-loop')
const serviceKey = openServiceKey({ key: random.bytes(32), random })

let db: TestDatabase
beforeEach(async () => {
  db = await openTestDatabase()
  onTestFinished(() => db.close())
})

const head = () => db.database.transaction(readAuditHead)
const alerts = async () =>
  (await db.database.transaction((tx) => listAlerts(tx, { open: true }))).map(({ code }) => code)

interface Opened {
  seal: (signal?: AbortSignal) => Promise<void>
  verify: (signal?: AbortSignal) => Promise<void>
  /** Both, one after the other. */
  tick: () => Promise<void>
  /** The heads that were logged. */
  told: () => string[]
  lines: string[]
}

/** A term of the sealer, which knows nothing of the ones before. */
async function open({ level = 'info' } = {}): Promise<Opened> {
  const lines: string[] = []
  const destination = { write: (line: string) => lines.push(line) }
  const log = openLog({ level, pretty: false, destination })
  const lease = await takeLease(db.database, { name: 'audit-log', holder: 'one', ttlMs: HOUR_MS })
  if (lease === null) throw new Error('the lease is taken')
  const [sealer, verifier] = [
    openSealer({ ...db, log }, lease),
    openVerifier({ ...db, serviceKey }, lease),
  ]
  const seal = (signal = new AbortController().signal) => sealer(signal)
  const verify = (signal = new AbortController().signal) => verifier(signal)
  const tick = async () => {
    await seal()
    await verify()
  }
  return { seal, verify, tick, told: () => lines.map((line) => headIn(JSON.parse(line))), lines }
}

function headIn({ auditHead }: { auditHead: string }): string {
  return auditHead
}

test('entries are sealed at once, and heads logged once a minute at most [O03]', async () => {
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

test('a rewritten log is reported within the hour [O03]', async () => {
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

test('the sealer stops when it has lost the lease [O03]', async () => {
  await writeEntries(db, 1)
  const { tick } = await open()
  await tick()
  await writeEntries(db, 1)
  await db.database.transaction((tx) => tx.run(sql`update leases set token = token + 1`))
  await expect(tick()).rejects.toThrow('no longer held')
  expect(await head()).toMatchObject({ sequence: 1 })
})

test('unsealed entries raise an alert after five minutes until they are sealed [O03]', async () => {
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

const accept = (reason = 'it was the standby') =>
  acceptAudit(db.database, serviceKey, { ownerUrl: db.urls.owner, actor: 'cli:root', reason })
const cutAfter = (last: number) =>
  tamper(
    db,
    `delete from audit_log where id > ${last}; delete from audit_seals where sequence > ${last}`,
  )
const CHANGE = 'update audit_log set object = object || 1'
const broken = async () =>
  (await db.database.transaction((tx) => listAlerts(tx))).filter(
    ({ code }) => code === 'audit_log.broken',
  )

/** A sealed log of 20 entries, verified by a term that goes on. */
async function verified(): Promise<Opened> {
  await writeEntries(db, 20)
  const term = await open()
  await term.tick()
  return term
}

async function nextHour(term: Opened): Promise<string[]> {
  await db.clock.advance(HOUR_MS)
  await term.tick()
  return alerts()
}

/** A log that was cut off and has grown since; its alert is open. */
async function cutOff(): Promise<Opened> {
  const term = await verified()
  await cutAfter(15)
  await writeEntries(db, 9)
  expect(await nextHour(term)).toEqual(['audit_log.broken'])
  return term
}

describe('the alert of a broken log [O03]', () => {
  test('stays open in the next term, which knows the head by the alert', async () => {
    const term = await verified()
    const known = formatHead(await head())
    await cutAfter(15)
    expect(await nextHour(term)).toEqual(['audit_log.broken'])
    expect(await broken()).toMatchObject([{ details: { known } }])
    expect(await nextHour(await open())).toEqual(['audit_log.broken'])
    await writeEntries(db, 9)
    expect(await nextHour(await open())).toEqual(['audit_log.broken'])
    expect(await broken()).toMatchObject([
      { times: 3, details: { known }, message: expect.stringContaining('was rewritten') },
    ])
  })

  test('is resolved when the log is restored, without an operator', async () => {
    const term = await verified()
    await tamper(db, `${CHANGE} where id = 5`)
    expect(await nextHour(term)).toEqual(['audit_log.broken'])
    await tamper(db, `update audit_log set object = 'chain 5' where id = 5`)
    expect(await nextHour(await open())).toEqual([])
    await cutAfter(15)
    expect(await nextHour(await open())).toEqual(['audit_log.broken'])
  })

  test('is raised again when its row was closed in the database', async () => {
    const term = await cutOff()
    await db.database.transaction((tx) => tx.run(sql`update alerts set resolved_at = last_at`))
    expect(await nextHour(term)).toEqual(['audit_log.broken'])
    await db.database.transaction((tx) => tx.run(sql`update alerts set resolved_at = last_at`))
    expect(await nextHour(await open())).toEqual(['audit_log.broken'])
  })
})

describe('an accepted log [O03]', () => {
  test('resolves the alert in this term and the next, and records actor and reason', async () => {
    const term = await cutOff()
    const stands = await head()
    expect(await accept()).toMatchObject({ head: stands })
    expect(await alerts()).toEqual([])
    expect(await nextHour(term)).toEqual([])
    expect(await nextHour(await open())).toEqual([])
    const [entry] = await db.database.transaction((tx) => listAudit(tx, { limit: 1 }))
    expect(entry).toMatchObject({
      actor: 'cli:root',
      action: 'audit-log.accept',
      object: 'audit_log',
      details: { reason: 'it was the standby', head: formatHead(stands) },
    })
    expect(entry?.details['found']).toContain('was rewritten')
  })

  test('raises the alert again when it is changed later', async () => {
    const term = await cutOff()
    await accept()
    await cutAfter(20)
    expect(await nextHour(term)).toEqual(['audit_log.broken'])
    await accept()
    await cutAfter(18)
    expect(await nextHour(await open())).toEqual(['audit_log.broken'])
  })

  test('is verified from its head on when older entries differ from their seals', async () => {
    const term = await verified()
    await tamper(db, `${CHANGE} where id = 5`)
    expect(await nextHour(term)).toEqual(['audit_log.broken'])
    await accept()
    expect(await nextHour(term)).toEqual([])
    expect(await nextHour(await open())).toEqual([])
    await tamper(db, `${CHANGE} where id = 21`)
    expect(await nextHour(term)).toEqual(['audit_log.broken'])
    await accept()
    await cutAfter(10)
    expect(await nextHour(term)).toEqual(['audit_log.broken'])
  })

  test('has a seal for each entry, and removed entries are no longer awaited', async () => {
    const term = await verified()
    await tamper(db, 'delete from audit_seals where sequence > 15')
    await writeEntries(db, 2)
    await tamper(db, 'delete from audit_log where id = 22')
    expect(await nextHour(term)).toEqual(['audit_log.broken'])
    expect(await accept()).toMatchObject({ put: 5, dropped: 1 })
    expect(await nextHour(term)).toEqual([])
    expect(await head()).toMatchObject({ sequence: 22 })
  })

  test('cannot be accepted without an open alert', async () => {
    const term = await verified()
    await expect(accept()).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await cutAfter(15)
    await expect(accept()).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    expect(await nextHour(term)).toEqual(['audit_log.broken'])
    await accept()
    await expect(accept()).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  test('stays accepted when a verification runs at the same time', async () => {
    const term = await cutOff()
    await db.clock.advance(HOUR_MS)
    const { database } = db
    // The first step reads the known head; the operator accepts during the second.
    const transaction = database.transaction.bind(database)
    let steps = 0
    const spy = vi.spyOn(database, 'transaction').mockImplementation(async (work) => {
      steps += 1
      if (steps === 2) await accept()
      return transaction(work)
    })
    await term.verify()
    spy.mockRestore()
    expect(await alerts()).toEqual([])
    await term.tick()
    expect(await alerts()).toEqual([])
  })
})

describe('a forged seal [O03]', () => {
  const forge = (sequence: string, entryId: number) =>
    db.database.transaction((tx) =>
      tx.run(sql.raw(`insert into audit_seals values (${sequence}, ${entryId}, sha256('x'))`)),
    )

  test('of the next entry does not end the sealing, and raises an alert', async () => {
    const term = await verified()
    await forge('21', 21)
    await writeEntries(db, 3)
    expect(await nextHour(term)).toEqual(['audit_log.broken'])
    expect(await broken()).toMatchObject([{ message: expect.stringContaining('number 21') }])
    expect(await head()).toMatchObject({ sequence: 23 })
    await accept()
    expect(await nextHour(term)).toEqual([])
  })

  test('of the highest number does not end the sealing', async () => {
    const term = await verified()
    await forge('9223372036854775807', 1_000)
    await writeEntries(db, 3)
    expect(await nextHour(term)).toEqual(['audit_log.broken'])
    expect(await head()).toMatchObject({ sequence: 23 })
    expect(await broken()).toMatchObject([{ message: expect.stringContaining('number 24') }])
  })

  test('of two numbers out of reach ends the sealing, not the verification', async () => {
    await verified()
    await forge('999999999999999', 1_000)
    await forge('1000000000000000', 1_001)
    await writeEntries(db, 3)
    const stopping = new AbortController()
    const loop = sealLoop({ ...db, log: silentLog(), holder: 'one' }, serviceKey)
    const running = loop.run(stopping.signal)
    const isTold = async () => expect(await alerts()).toEqual(['audit_log.broken'])
    await vi.waitFor(isTold, { timeout: 10_000 })
    stopping.abort()
    await running
    expect(await broken()).toMatchObject([{ message: expect.stringContaining('number 21') }])
    expect(await db.database.transaction(readWaiting)).toMatchObject({ count: 3 })
  })
})

describe('a verification [O03]', () => {
  test('raises no alert when its process has lost the lease', async () => {
    const term = await verified()
    await cutAfter(15)
    await db.clock.advance(HOUR_MS)
    await db.database.transaction((tx) => tx.run(sql`update leases set token = token + 1`))
    await expect(term.verify()).rejects.toThrow('no longer held')
    expect(await alerts()).toEqual([])
  })

  test('raises no alert when it is aborted, and runs again soon', async () => {
    const term = await verified()
    await cutAfter(15)
    await db.clock.advance(HOUR_MS)
    await term.verify(AbortSignal.abort())
    expect(await alerts()).toEqual([])
    await term.verify()
    expect(await alerts()).toEqual(['audit_log.broken'])
  })
})

test('the sealer warns when the log level hides the heads [O03]', async () => {
  const quiet = await open({ level: 'warn' })
  await writeEntries(db, 1)
  await quiet.tick()
  await db.clock.advance(HOUR_MS)
  await quiet.tick()
  expect(quiet.lines.map((line) => JSON.parse(line).msg)).toEqual([
    expect.stringContaining('head of the audit log'),
  ])
})
