import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SeededRandom, silentLog } from '../../test/support/clock.ts'
import { openTestDatabase } from '../../test/support/database.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import { openLog } from '../base/log.ts'
import { openServiceKey } from '../keys/service-key.ts'
import { closeByOperator } from './close-alert.ts'
import { listAlerts } from '../alerts/list-alerts.ts'
import { listAudit } from './list-audit.ts'
import { raiseAlert, readOpenAlert, resolveAlert } from '../alerts/raise-alert.ts'
import { openAlertWatch } from '../alerts/watch-alerts.ts'
import { writeAudit, writeAudits } from './write-audit.ts'

const random = new SeededRandom('audit log')
const serviceKey = openServiceKey({ key: random.bytes(32), random })
const BY = { actor: 'cli:root', openKey: () => serviceKey }
const ORG_A = '01900000-0000-7000-8000-00000000000a'
const ORG_B = '01900000-0000-7000-8000-00000000000b'
const MISMATCH = { code: 'token.mismatch', subject: 'eip155:1/erc20:0x1', message: '18, not 6' }
const HALTED = { code: 'chain.halted', subject: 'eip155:1', message: 'wrong network' }

describe('alerts', () => {
  let world: TestDatabase
  beforeAll(async () => {
    world = await openTestDatabase()
  })
  afterAll(() => world.close())

  const raise = (given: Parameters<typeof raiseAlert>[1]) =>
    world.database.transaction((tx) => raiseAlert(tx, given))
  const resolve = (given: Parameters<typeof resolveAlert>[1]) =>
    world.database.transaction((tx) => resolveAlert(tx, given))
  const list = (open?: boolean) =>
    world.database.transaction((tx) => listAlerts(tx, open === undefined ? {} : { open }))

  test('are counted while open and keep the newest message', async () => {
    const raisedAt = world.clock.now()
    const first = await raise({ ...MISMATCH, code: 'token.mismatch', details: { found: 18 } })
    await world.clock.advance(1_000)
    const again = await raise({ ...MISMATCH, code: 'token.mismatch', message: '9, not 6' })
    expect(again).toEqual({
      id: first.id,
      ...MISMATCH,
      message: '9, not 6',
      details: {},
      times: 2,
      raisedAt,
      lastAt: raisedAt + 1_000,
      resolvedAt: null,
      acknowledgedAt: null,
      acknowledgedBy: null,
      orgId: null,
    })
    expect(await list()).toEqual([again])
  })

  test('are rolled back with their transaction', async () => {
    const undone = world.database.transaction(async (tx) => {
      await raiseAlert(tx, { code: 'chain.halted', subject: 'eip155:56', message: 'undone' })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect((await list()).map((alert) => alert.subject)).not.toContain('eip155:56')
  })

  test('raised concurrently are one alert', async () => {
    const about = { code: 'chain.stalled', subject: 'eip155:137', message: 'no block' } as const
    await Promise.all(Array.from({ length: 10 }, () => raise(about)))
    const mine = (await list(true)).filter((alert) => alert.subject === about.subject)
    expect(mine.map((alert) => alert.times)).toEqual([10])
  })

  test('are resolved and opened again when they recur', async () => {
    const key = { code: 'token.mismatch', subject: MISMATCH.subject } as const
    expect([await resolve(key), await resolve(key)]).toEqual([true, false])
    expect((await list(true)).map((alert) => alert.code)).not.toContain('token.mismatch')
    const [closed] = await list(false)
    expect(closed).toMatchObject({ ...key, resolvedAt: world.clock.now() })
    const anew = await raise({ ...MISMATCH, code: 'token.mismatch' })
    expect(anew).toMatchObject({ times: 1, resolvedAt: null })
    expect(anew.id).not.toBe(closed?.id)
  })

  test('are closed by an operator with a reason and opened again when they recur', async () => {
    const { database } = world
    const key = { code: 'withdrawal.tampered', subject: 'a withdrawal' } as const
    await raise({ ...key, message: 'changed' })
    const [about] = (await list(true)).filter(({ code }) => code === key.code)
    const close = () =>
      database.transaction((tx) =>
        closeByOperator(tx, { ...key, ...BY, reason: 'the intruder is out' }),
      )
    expect(await close()).toMatchObject({ ...key, resolvedAt: world.clock.now() })
    expect((await list(true)).map(({ code }) => code)).not.toContain(key.code)
    expect(await database.transaction((tx) => listAudit(tx, { object: key.subject }))).toEqual([
      {
        id: expect.any(Number),
        at: world.clock.now(),
        orgId: null,
        actor: 'cli:root',
        action: 'alert.close',
        object: key.subject,
        details: { alert: key.code, message: 'changed', times: 1, reason: 'the intruder is out' },
      },
    ])
    await expect(close()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const anew = await raise({ ...key, message: 'changed again' })
    expect(anew).toMatchObject({ times: 1, resolvedAt: null })
    expect(anew.id).not.toBe(about?.id)
    await close()
  })

  test('are not closed manually if another command ends their cause', async () => {
    const key = { code: 'audit_log.broken', subject: 'audit_log' } as const
    await raise({ ...key, message: 'cut off' })
    const close = world.database.transaction((tx) =>
      closeByOperator(tx, { ...key, ...BY, reason: 'enough of it' }),
    )
    await expect(close).rejects.toThrow('sluice audit-log accept')
    expect((await list(true)).map(({ code }) => code)).toContain(key.code)
    await resolve(key)
  })

  test('of every process reach the log and the counter once', async () => {
    await world.clock.advance(600_000)
    const lines: string[] = []
    const heard: [string, number][] = []
    const log = openLog({
      level: 'info',
      pretty: false,
      stream: 2,
      destination: { write: (line) => lines.push(line) },
    })
    const { database, clock } = world
    const onAlert = ({ code }: { code: string }, times: number) => heard.push([code, times])
    const watch = openAlertWatch({ database, log, since: clock.now(), onAlert })
    await watch.tick()
    expect(heard).toEqual([])
    await raise({ ...HALTED, code: 'chain.halted', details: { node: 'a' } })
    await raise({ ...HALTED, code: 'chain.halted' })
    await watch.tick()
    await watch.tick()
    expect(heard).toEqual([['chain.halted', 2]])
    await clock.advance(1_000)
    await raise({ ...HALTED, code: 'chain.halted' })
    await watch.tick()
    expect(heard.slice(1)).toEqual([['chain.halted', 1]])
    // Opened before the watch began, and raised once more now: once is what is new.
    await clock.advance(120_000)
    await raise({ ...MISMATCH, code: 'token.mismatch' })
    await watch.tick()
    expect(heard.slice(2)).toEqual([['token.mismatch', 1]])
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warn', alert: 'chain.halted', subject: 'eip155:1', msg: 'wrong network' },
      { alert: 'chain.halted', times: 3 },
      { alert: 'token.mismatch' },
    ])
  })

  test('are logged even if their transaction ends after a later one', async () => {
    const { database, clock } = world
    const log = silentLog()
    await clock.advance(600_000)
    const heard: string[] = []
    const onAlert = ({ subject }: { subject: string }) => heard.push(subject)
    const watch = openAlertWatch({ database, log, since: clock.now(), onAlert })
    await database.transaction(async (tx) => {
      await raiseAlert(tx, { code: 'chain.stalled', subject: 'slow', message: 'early' })
      await clock.advance(5_000)
      await raise({ code: 'chain.stalled', subject: 'quick', message: 'late' })
      await watch.tick()
    })
    await watch.tick()
    expect(heard).toEqual(['quick', 'slow'])
  })

  test('of the installation and of other organizations are not shown to one [S09]', async () => {
    await raise({ code: 'deposit.held', subject: 'of a', message: 'a', orgId: ORG_A })
    await raise({ code: 'deposit.held', subject: 'of b', message: 'b', orgId: ORG_B })
    await raise({ code: 'chain.stalled', subject: 'of all', message: 'c' })
    const shown = await world.database.forOrg(ORG_A, (tx) => listAlerts(tx))
    expect(shown.map(({ subject }) => subject)).toEqual(['of a'])
  })

  test('merge their details when they recur with adds', async () => {
    const about = { code: 'chain.disputed', subject: 'eip155:10', message: 'said' } as const
    const read = () => world.database.transaction((tx) => readOpenAlert(tx, about))
    expect(await read()).toBeNull()
    await raise({ ...about, details: { a: 1, b: 1 } })
    await raise({ ...about, details: { b: 2, c: 2 }, adds: true })
    expect(await read()).toMatchObject({ details: { a: 1, b: 2, c: 2 }, times: 2 })
    await raise({ ...about, details: { c: 3 } })
    expect((await read())?.details).toEqual({ c: 3 })
    await resolve(about)
    expect(await read()).toBeNull()
  })
})

describe('the audit log', () => {
  let world: TestDatabase
  beforeAll(async () => {
    world = await openTestDatabase()
  })
  afterAll(() => world.close())
  const entry = { actor: 'cli:root', action: 'chain.resume', object: 'eip155:1' }

  test('lists entries newest first, optionally of one organization', async () => {
    const { database, clock } = world
    const details = { reason: 'looked at' }
    await database.transaction((tx) => writeAudit(tx, { orgId: null, ...entry, details }))
    await database.transaction((tx) => writeAudit(tx, { orgId: ORG_A, ...entry }))
    const all = await database.transaction((tx) => listAudit(tx))
    expect(all).toEqual([
      { id: expect.any(Number), at: clock.now(), orgId: ORG_A, ...entry, details: {} },
      { id: expect.any(Number), at: clock.now(), orgId: null, ...entry, details },
    ])
    const mine = await database.transaction((tx) => listAudit(tx, { orgId: ORG_A }))
    expect(mine.map((one) => one.orgId)).toEqual([ORG_A])
  })

  test('stores many entries in order, with any text', async () => {
    const { database, clock } = world
    const details = { text: 'a "quoted" \\ part, {braces}, 𝄞', list: ['1'], nothing: null }
    const given = [
      { orgId: ORG_A, ...entry, object: 'one', details },
      { orgId: null, ...entry, object: 'two' },
      { orgId: ORG_A, ...entry, object: 'three, "four"', details: {} },
    ]
    await database.transaction((tx) => writeAudits(tx, given))
    await database.transaction((tx) => writeAudits(tx, []))
    const found = await database.transaction((tx) => listAudit(tx, { limit: 3 }))
    const shared = { id: expect.any(Number), at: clock.now(), details: {} }
    expect(found.reverse()).toEqual(given.map((one) => ({ ...shared, ...one })))
  })

  test.each(['update audit_log set actor = actor', 'delete from audit_log', 'truncate audit_log'])(
    'refuses to be rewritten: %s',
    async (statement) => {
      const rewrite = world.database.transaction((tx) => tx.run(sql.raw(statement)))
      await expect(rewrite).rejects.toThrow('permission denied')
    },
  )

  test('accepts only an organization’s own entries from the API [S09]', async () => {
    const write = (orgId: string | null) =>
      world.database.forOrg(ORG_A, (tx) => writeAudit(tx, { orgId, ...entry }))
    await write(ORG_A)
    await expect(write(ORG_B)).rejects.toThrow('row-level security')
    await expect(write(null)).rejects.toThrow('row-level security')
    const shown = await world.database.forOrg(ORG_A, (tx) => listAudit(tx))
    expect([...new Set(shown.map(({ orgId }) => orgId))]).toEqual([ORG_A])
  })
})
