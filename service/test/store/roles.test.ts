import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { withDatabaseName, withSession } from '../../src/store/connection.ts'
import { openDatabase } from '../../src/store/database.ts'
import type { EmbeddedServer } from '../../src/store/embedded.ts'
import { uuids } from '../../src/base/id.ts'
import { migrate } from '../../src/store/migrate.ts'
import { ROLES } from '../../src/store/roles.ts'
import { ManualClock, SeededRandom, silentLog } from '../support/clock.ts'
import { makeServerFolder } from './server.ts'
import type { ServerFolder } from './server.ts'
import { TINY_SCHEMA, writeMigrations } from './tiny.ts'
import type { Migrations } from './tiny.ts'

/** Roles belong to a whole server, so these tests have a separate one, as bare as an operator's. */
let folder: ServerFolder
let server: EmbeddedServer
let migrations: Migrations

beforeAll(async () => {
  folder = await makeServerFolder()
  server = await folder.start({ settings: { fsync: 'off', full_page_writes: 'off' } })
  migrations = await writeMigrations({ '0001-tiny.sql': TINY_SCHEMA })
})
afterAll(async () => {
  await migrations.remove()
  await folder.clear()
})

beforeEach(() =>
  withSession(server.superuserUrl, async (session) => {
    for (const name of ['sluice', 'harness', 'garden'])
      await session.script(`drop database if exists ${name}`)
    for (const role of [...ROLES, 'dba', 'guest'])
      await session.script(`drop role if exists ${role}`)
    await session.script('create role dba login createrole')
    await session.script('create role guest login')
    await session.script('create database harness owner dba')
    await session.script('create database garden owner guest')
  }),
)

function urlOf(user: string, database: string): string {
  const url = new URL(withDatabaseName(server.superuserUrl, database))
  url.searchParams.set('user', user)
  return url.href
}

function run(ownerUrl: string) {
  return migrate({ ownerUrl, folder: migrations.folder, log: silentLog() })
}

test('an owner who may create roles prepares a bare server [O06]', async () => {
  const url = urlOf('dba', 'harness')
  await run(url)
  const clock = new ManualClock()
  const ids = uuids(clock, new SeededRandom(1))
  const urls = { owner: url, engine: url, api: url }
  const database = openDatabase({ urls, clock, ids, log: silentLog() })
  const count = sql<{ count: number }>`select count(*) as count from notes`
  expect(await database.transaction((tx) => tx.one(count))).toEqual({ count: 0 })
  expect(await database.asApi((tx) => tx.one(count))).toEqual({ count: 0 })
  await database.close()
})

test('the created roles cannot log in and are not superusers [O06]', async () => {
  await run(urlOf('dba', 'harness'))
  const made = await withSession(server.superuserUrl, (session) =>
    session.many(sql`
      select rolname as name, rolcanlogin or rolsuper or rolbypassrls as mighty
        from pg_roles
       where rolname like 'sluice%'
       order by rolname`),
  )
  expect(made).toEqual(ROLES.toSorted().map((name) => ({ name, mighty: false })))
})

test('a user without the right gets the statements to run, and then succeeds [O06]', async () => {
  const fault = await run(urlOf('guest', 'garden')).catch((error: unknown) => String(error))
  expect(fault).toMatch(/may not prepare the database/)
  expect(fault).toMatch(/create role sluice_owner;.*grant sluice_owner, sluice_engine, sluice_api/)
  await withSession(urlOf('postgres', 'garden'), async (session) => {
    for (const role of ROLES) await session.script(`create role ${role}`)
    await session.script(`grant ${ROLES.join(', ')} to guest`)
  })
  expect(await run(urlOf('guest', 'garden'))).toEqual({ applied: ['0001-tiny'] })
})

test('two databases of one server prepared at once share their roles [O06]', async () => {
  const results = await Promise.all([
    run(urlOf('postgres', 'harness')),
    run(urlOf('postgres', 'garden')),
    run(urlOf('postgres', 'harness')),
  ])
  expect(results.flatMap(({ applied }) => applied)).toEqual(['0001-tiny', '0001-tiny'])
})
