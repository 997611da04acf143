import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Outage } from '../../src/base/fault.ts'
import { withSession } from '../../src/store/connection.ts'
import { migrate, migrationStatus } from '../../src/store/migrate.ts'
import { silentLog } from '../support/clock.ts'
import { makeEmptyDatabase } from '../support/database.ts'
import type { EmptyDatabase } from '../support/database.ts'
import { openLine } from './line.ts'
import { writeMigrations } from './tiny.ts'
import type { Migrations } from './tiny.ts'

const FIRST = {
  '0001-cups.sql': `
    create table cups (id int primary key);
    insert into cups values (1);
    grant select, insert, update, delete on all tables in schema public to sluice_engine;`,
}
const SECOND = { '0002-plates.sql': 'create table plates (id int primary key);' }

let empty: EmptyDatabase
let migrations: Migrations

beforeEach(async () => {
  empty = await makeEmptyDatabase()
  migrations = await writeMigrations(FIRST)
})
afterEach(async () => {
  await migrations.remove()
  await empty.drop()
})

function run(ownerUrl = empty.urls.owner) {
  return migrate({ ownerUrl, folder: migrations.folder, log: silentLog() })
}

function status() {
  return migrationStatus({ ownerUrl: empty.urls.owner, folder: migrations.folder })
}

function ask<Row>(query: ReturnType<typeof sql<Row>>): Promise<Row> {
  return withSession(empty.adminUrl, (session) => session.one(query))
}

async function hasTable(name: string): Promise<boolean> {
  const query = sql<{
    found: boolean
  }>`select to_regclass(${`public.${name}`}) is not null as found`
  return (await ask(query)).found
}

test('each file is applied once, in order, and belongs to sluice_owner [O06]', async () => {
  expect(await status()).toEqual({ applied: [], pending: ['0001-cups'], unknown: [] })
  expect(await run()).toEqual({ applied: ['0001-cups'] })
  await migrations.add(SECOND)
  expect(await run()).toEqual({ applied: ['0002-plates'] })
  expect(await run()).toEqual({ applied: [] })
  expect(await status()).toEqual({
    applied: ['0001-cups', '0002-plates'],
    pending: [],
    unknown: [],
  })
  const query = sql`select tableowner as owner from pg_tables where tablename = 'plates'`
  expect(await ask(query)).toEqual({ owner: 'sluice_owner' })
})

test('many processes that start at once apply each file only once [O06]', async () => {
  await migrations.add(SECOND)
  const results = await Promise.all(Array.from({ length: 6 }, () => run()))
  expect(results.flatMap(({ applied }) => applied).toSorted()).toEqual(['0001-cups', '0002-plates'])
  expect(await ask(sql`select count(*) as count from cups`)).toEqual({ count: 1 })
})

test('a database newer than the program is refused with the unknown migration [O06]', async () => {
  await migrations.add(SECOND)
  await run()
  await migrations.remove()
  migrations = await writeMigrations(FIRST)
  await expect(run()).rejects.toThrow(/newer than the program.*0002-plates/)
  expect((await status()).unknown).toEqual(['0002-plates'])
})

test('a file changed after it was applied is refused [O06]', async () => {
  await run()
  await migrations.add({ '0001-cups.sql': 'create table mugs (id int);' })
  await migrations.add(SECOND)
  await expect(run()).rejects.toThrow(/0001-cups\.sql was changed/)
  expect((await status()).unknown).toEqual(['0001-cups'])
  expect(await hasTable('plates')).toBe(false)
})

test('a failed file is rolled back, and earlier files stay applied [O06]', async () => {
  await migrations.add({ '0002-broken.sql': 'create table half (id int); select 1 / 0;' })
  await expect(run()).rejects.toThrow(/0002-broken\.sql failed.*division by zero/)
  expect(await hasTable('half')).toBe(false)
  expect(await hasTable('cups')).toBe(true)
  expect(await status()).toMatchObject({ applied: ['0001-cups'], pending: ['0002-broken'] })
})

test('a file is rolled back when its process dies [O06]', async () => {
  await migrations.add({
    '0002-slow.sql': 'create table half (id int); select pg_advisory_xact_lock(42);',
  })
  const line = await openLine(empty.urls.owner)
  await withSession(empty.adminUrl, async (session) => {
    await session.script('select pg_advisory_lock(42)')
    const dying = run(line.through(empty.urls.owner)).catch((error: unknown) => error)
    const isWaiting = async () => {
      const waiting = await session.many(sql`
        select 1
          from pg_locks
         where locktype = 'advisory'
           and objid = 42
           and not granted
           and database = (select oid from pg_database where datname = current_database())`)
      return waiting.length
    }
    await expect.poll(isWaiting, { timeout: 10_000 }).toBe(1)
    line.cut()
    expect(await dying).toBeInstanceOf(Outage)
    expect(await hasTable('half')).toBe(false)
  })
  expect(await run()).toEqual({ applied: ['0002-slow'] })
  expect(await hasTable('half')).toBe(true)
  await line.close()
})

test('a file out of the numbering is refused before anything runs [O06]', async () => {
  await migrations.add({ '0003-later.sql': 'select 1' })
  await expect(run()).rejects.toThrow(/0003-later\.sql.*expected 0002-/)
  expect(await hasTable('cups')).toBe(false)
})

test('the loops may read but not write the history, despite grants of a file [O06]', async () => {
  await run()
  const rights = sql`
    select has_table_privilege('sluice_engine', 'schema_migrations', 'select') as reads,
           has_table_privilege('sluice_engine', 'schema_migrations', 'insert') as inserts,
           has_table_privilege('sluice_api', 'schema_migrations', 'update') as updates,
           has_table_privilege('sluice_engine', 'cups', 'insert') as others`
  const expected = { reads: true, inserts: false, updates: false, others: true }
  expect(await ask(rights)).toEqual(expected)
})
