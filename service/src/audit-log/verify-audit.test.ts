import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { sealEverything, tamper, writeEntries } from '../../test/support/audit-log.ts'
import { type TestDatabase, openTestDatabase } from '../../test/support/database.ts'
import { type AuditBreak, describeBreak } from './audit-break.ts'
import type { AuditHead } from './audit-head.ts'
import { verifyAudit } from './verify-audit.ts'

/** More than are sealed or read at once. */
const ENTRIES = 2_100
const NEW_ENTRY = `(at, actor, action, object) values (now(), 'cli:root', 'user.create', 'mallory')`
const COLUMNS = 'id, at, org_id, actor, action, object, details'

let world: TestDatabase
let head: AuditHead
beforeEach(async () => {
  world = await openTestDatabase()
  onTestFinished(() => world.close())
  await writeEntries(world, ENTRIES)
  head = await sealEverything(world)
})

async function wrongAfter(statements: string): Promise<AuditBreak | null> {
  await tamper(world, statements)
  return (await verifyAudit(world.database)).wrong
}

test('an unchanged log is valid up to its last entry [O03]', async () => {
  expect(await verifyAudit(world.database, { heads: [head] })).toEqual({
    head,
    waiting: 0,
    wrong: null,
  })
  expect(head.sequence).toBe(ENTRIES)
  await writeEntries(world, 3)
  expect(await verifyAudit(world.database)).toEqual({ head, waiting: 3, wrong: null })
})

describe('verifyAudit reports the first break [O03]', () => {
  test('of an entry with any changed field', async () => {
    const changes = [
      `actor = actor || 'x'`,
      `action = 'user.list'`,
      `object = ''`,
      `details = '{"by": 1.0}'`,
      `at = at + interval '1 millisecond'`,
      `at = 'infinity'`,
      `org_id = gen_random_uuid()`,
    ]
    for (const [at, change] of changes.entries()) {
      const sequence = 2000 - 100 * at
      const wrong = await wrongAfter(`update audit_log set ${change} where id = ${sequence}`)
      expect(wrong).toEqual({ reason: 'changed', sequence, entryId: String(sequence) })
    }
  })

  test('of a changed seal', async () => {
    const wrong = await wrongAfter(
      `update audit_seals set hash = sha256('x') where sequence in (77, 900)`,
    )
    expect(wrong).toMatchObject({ reason: 'changed', sequence: 77 })
  })

  test('of deleted entries, with or without their seals', async () => {
    expect(await wrongAfter('delete from audit_log where id between 1500 and 1501')).toEqual({
      reason: 'missing',
      sequence: 1500,
      entryId: '1500',
    })
    const without = 'delete from audit_seals where entry_id between 1400 and 1501'
    expect(await wrongAfter(without)).toEqual({
      reason: 'missing',
      sequence: 1400,
      entryId: null,
    })
  })

  test('of a deleted entry if later seals were renumbered', async () => {
    const wrong = await wrongAfter(`
      delete from audit_log where id = 2000;
      delete from audit_seals where sequence = 2000;
      update audit_seals set sequence = sequence + 10000 where sequence > 2000;
      update audit_seals set sequence = sequence - 10001 where sequence > 10000`)
    expect(wrong).toEqual({ reason: 'changed', sequence: 2000, entryId: '2001' })
  })

  test('of an inserted entry', async () => {
    expect(await wrongAfter(`insert into audit_log ${NEW_ENTRY}`)).toEqual({
      reason: 'unsealed',
      sequence: null,
      entryId: String(ENTRIES + 1),
    })
  })

  test('of a replaced entry', async () => {
    const wrong = await wrongAfter(`
      insert into audit_log (${COLUMNS}) overriding system value
      select -1, at, org_id, actor, action, object, details from audit_log where id = 10;
      update audit_seals set entry_id = -1 where sequence = 10`)
    expect(wrong).toEqual({ reason: 'changed', sequence: 10, entryId: '-1' })
  })

  test('of an entry that was deleted before it was sealed, or that is never sealed', async () => {
    await writeEntries(world, 2)
    expect(
      await wrongAfter(`delete from unsealed_entries where entry_id = ${ENTRIES + 2}`),
    ).toEqual({ reason: 'unsealed', sequence: null, entryId: `${ENTRIES + 2}` })
    expect(await wrongAfter(`delete from audit_log where id = ${ENTRIES + 1}`)).toEqual({
      reason: 'lost',
      sequence: null,
      entryId: `${ENTRIES + 1}`,
    })
  })

  test('of a log without its last seals', async () => {
    expect(await wrongAfter('delete from audit_seals where sequence > 2050')).toEqual({
      reason: 'unsealed',
      sequence: null,
      entryId: '2051',
    })
  })
})

describe('verifyAudit compares a consistent chain with kept heads [O03]', () => {
  const CUT = 'delete from audit_log where id > 2050; delete from audit_seals where sequence > 2050'

  test('a truncated log ends before them', async () => {
    expect(await wrongAfter(CUT)).toBeNull()
    const { wrong } = await verifyAudit(world.database, { heads: [head] })
    const cut = { reason: 'truncated', sequence: 2051, entryId: null, until: ENTRIES } as const
    expect(wrong).toEqual(cut)
    expect(describeBreak(cut)).toContain(`2051 to ${ENTRIES} are missing`)
  })

  test('an emptied log ends before them', async () => {
    expect(await wrongAfter('truncate audit_log, audit_seals')).toBeNull()
    const { wrong } = await verifyAudit(world.database, { heads: [head] })
    expect(wrong).toMatchObject({ reason: 'truncated', sequence: 1, until: ENTRIES })
  })

  test('a rewritten log differs from the first head after the change', async () => {
    const early = await headOf(2050)
    expect(await wrongAfter(CUT)).toBeNull()
    await writeEntries(world, 200)
    await sealEverything(world)
    const { wrong } = await verifyAudit(world.database, { heads: [head, early] })
    expect(wrong).toMatchObject({ reason: 'rewritten', sequence: ENTRIES, since: 2050 })
    expect((await verifyAudit(world.database, { heads: [early] })).wrong).toBeNull()
  })

  test('a verification from a later seal covers everything after it', async () => {
    const from = await headOf(2050)
    expect(await verifyAudit(world.database, { from, heads: [head] })).toMatchObject({
      head,
      wrong: null,
    })
    await tamper(world, `update audit_log set object = 'x' where id = 2051`)
    const { wrong } = await verifyAudit(world.database, { from })
    expect(wrong).toMatchObject({ reason: 'changed', sequence: 2051 })
  })

  test('a verification covers the seal that it starts after', async () => {
    const from = await headOf(2050)
    const wrongAfterIt = async (statements: string) => {
      await tamper(world, statements)
      return (await verifyAudit(world.database, { from })).wrong
    }
    expect(
      await wrongAfterIt(`update audit_seals set hash = sha256('x') where sequence >= 2050`),
    ).toMatchObject({ reason: 'rewritten', sequence: 2050 })
    expect(await wrongAfterIt('delete from audit_seals where sequence = 2050')).toMatchObject({
      reason: 'missing',
      sequence: 2050,
    })
    expect(await wrongAfterIt('delete from audit_seals where sequence > 2040')).toEqual({
      reason: 'truncated',
      sequence: 2041,
      entryId: null,
      until: 2050,
    })
  })
})

test('a verification stops when its signal aborts [O03]', async () => {
  const stopping = new AbortController()
  stopping.abort()
  const { head: reached } = await verifyAudit(world.database, { signal: stopping.signal })
  expect(reached.sequence).toBe(0)
})

test('a seal with an impossible number is reported [O03]', async () => {
  const forged = `insert into audit_seals values (9223372036854775807, 5000, sha256('x'))`
  expect(await wrongAfter(forged)).toEqual({
    reason: 'missing',
    sequence: ENTRIES + 1,
    entryId: null,
  })
})

/** The head as it was when so many entries were sealed. */
async function headOf(sequence: number): Promise<AuditHead> {
  const other = await openTestDatabase()
  onTestFinished(() => other.close())
  await writeEntries(other, sequence)
  return sealEverything(other)
}
