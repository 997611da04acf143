import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { sealEverything, writeEntries } from '../../test/support/audit-log.ts'
import { type TestDatabase, burst, openTestDatabase } from '../../test/support/database.ts'
import { NOTHING_SEALED } from './audit-head.ts'
import { readAuditHead, sealAudit } from './seal-audit.ts'
import { readWaiting, verifyAudit } from './verify-audit.ts'
import { writeAudit } from './write-audit.ts'

const ORG = '01900000-0000-7000-8000-00000000000a'
/** Leaves connections of the pool for the sealer. */
const WRITERS = 8

let world: TestDatabase
beforeEach(async () => {
  world = await openTestDatabase()
  onTestFinished(() => world.close())
})

const entry = (object: string) => ({ orgId: null, actor: 'cli:root', action: 'test', object })

function sealedObjects(): Promise<{ sequence: number; object: string }[]> {
  return world.database.transaction((tx) =>
    tx.many(sql<{ sequence: number; object: string }>`
      select s.sequence, l.object
        from audit_seals s
        join audit_log l on l.id = s.entry_id
       order by s.sequence`),
  )
}

test('an entry is sealed after its commit, and a rollback leaves no gap [O03]', async () => {
  const { database } = world
  const undone = database.transaction(async (tx) => {
    await writeAudit(tx, entry('rolled back'))
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await database.transaction(async (late) => {
    await writeAudit(late, entry('late'))
    await database.transaction((tx) => writeAudit(tx, entry('early')))
    await sealEverything(world)
    expect(await sealedObjects()).toEqual([{ sequence: 1, object: 'early' }])
  })
  await sealEverything(world)
  const sealed = ['early', 'late'].map((object, at) => ({ sequence: at + 1, object }))
  expect(await sealedObjects()).toEqual(sealed)
  expect(await verifyAudit(database)).toMatchObject({ waiting: 0, wrong: null })
})

test('writers and the sealer do not wait for each other [O03]', async () => {
  const { database } = world
  await database.transaction(async (slow) => {
    await writeAudit(slow, entry('slow'))
    await database.transaction(async (sealing) => {
      await database.transaction((tx) => writeAudit(tx, entry('quick')))
      expect(await sealAudit(sealing)).toMatchObject({ sealed: 1 })
      await database.transaction((tx) => writeAudit(tx, entry('quicker')))
    })
  })
  await sealEverything(world)
  expect((await sealedObjects()).map(({ object }) => object)).toEqual(['quick', 'slow', 'quicker'])
})

test('concurrent writers and a sealer produce one valid chain [O03]', async () => {
  const { database } = world
  const heads = [NOTHING_SEALED]
  const writing = burst(60, WRITERS, (at) =>
    database.transaction(async (tx) => {
      for (let part = 0; part <= at % 3; part += 1) await writeAudit(tx, entry(`${at}.${part}`))
    }),
  )
  while (heads.length < 30) heads.push((await database.transaction(sealAudit)).head)
  await writing
  heads.push(await sealEverything(world))
  expect(heads.at(-1)?.sequence).toBe(120)
  const kept = heads.filter(({ sequence }) => sequence > 0)
  expect(await verifyAudit(database, { heads: kept })).toMatchObject({ waiting: 0, wrong: null })
})

test('one of two concurrent sealers succeeds [O03]', async () => {
  const { database } = world
  await writeEntries(world, 5)
  const both = await Promise.allSettled([
    database.transaction(sealAudit),
    database.transaction(sealAudit),
  ])
  expect(both.some(({ status }) => status === 'fulfilled')).toBe(true)
  expect((await sealedObjects()).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5])
  expect((await verifyAudit(database)).wrong).toBeNull()
})

test('an entry with a seal, forged or not, is not sealed again [O03]', async () => {
  const { database } = world
  await writeEntries(world, 1)
  const { head } = await database.transaction(sealAudit)
  await writeEntries(world, 2)
  const forged = `insert into audit_seals values (${head.sequence + 1}, 2, sha256('x'))`
  await database.transaction((tx) => tx.run(sql.raw(forged)))
  expect(await database.transaction(sealAudit)).toMatchObject({ sealed: 1, head: { sequence: 3 } })
  expect(await database.transaction(readWaiting)).toMatchObject({ count: 0 })
  const wrong = { reason: 'changed', sequence: 2, entryId: '2' }
  expect(await verifyAudit(database)).toMatchObject({ wrong })
})

test('an organization’s own entry is sealed [O03]', async () => {
  const { database, clock } = world
  await database.forOrg(ORG, (tx) => writeAudit(tx, { ...entry('by a person'), orgId: ORG }))
  const waiting = await database.transaction(readWaiting)
  expect(waiting).toEqual({ count: 1, oldestAt: clock.now() })
  const { head } = await database.transaction(sealAudit)
  expect(await database.transaction(readAuditHead)).toEqual(head)
  expect(await database.transaction(readWaiting)).toEqual({ count: 0, oldestAt: null })
  expect(await database.transaction(sealAudit)).toEqual({ sealed: 0, head })
})

const REFUSED = [
  'update audit_log set actor = actor',
  'delete from audit_log',
  'truncate audit_log',
  `insert into audit_log (id, at, actor, action, object) overriding system value
   values (0, now(), 'cli:root', 'test', 'before all others')`,
  'alter table audit_log disable trigger user',
  'drop trigger audit_log_awaits_seal on audit_log',
  'set session_replication_role = replica',
  'update audit_seals set hash = hash',
  'delete from audit_seals',
  'truncate audit_seals',
  'insert into unsealed_entries values (1)',
  'update unsealed_entries set entry_id = entry_id',
]
const REFUSED_TO_THE_DOOR = [
  'select from audit_seals',
  `insert into audit_seals values (1, 1, sha256('x'))`,
  'select from unsealed_entries',
  'delete from unsealed_entries',
]

test('no role of the service can change an entry or a seal [O03]', async () => {
  const { database } = world
  await writeEntries(world, 1)
  await sealEverything(world)
  for (const statement of REFUSED)
    expect(await said(database.transaction((tx) => tx.run(sql.raw(statement))))).toMatch(NO)
  for (const statement of [...REFUSED, ...REFUSED_TO_THE_DOOR])
    expect(await said(database.forOrg(ORG, (tx) => tx.run(sql.raw(statement))))).toMatch(NO)
})

const NO = /permission denied|must be owner/

function said(running: Promise<unknown>): Promise<string> {
  return running.then(() => 'done', String)
}
