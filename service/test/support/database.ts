import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { uuids } from '../../src/base/id.ts'
import type { Ids } from '../../src/base/id.ts'
import { withDatabaseName, withSession } from '../../src/store/connection.ts'
import { openDatabase } from '../../src/store/database.ts'
import type { Database, DatabaseUrls } from '../../src/store/database.ts'
import { ManualClock, SeededRandom, silentLog } from './clock.ts'
import { askForMade } from './on-demand.ts'
import { createDatabase, migrateWhole, TEMPLATE } from './postgres.ts'
import type { TestServer } from './postgres.ts'

export interface EmptyDatabase {
  urls: DatabaseUrls
  /** A superuser on our own server, else the user of `SLUICE_TEST_DATABASE_URL`. */
  adminUrl: string
  drop(): Promise<void>
}

export interface TestDatabase {
  database: Database
  urls: DatabaseUrls
  adminUrl: string
  clock: ManualClock
  ids: Ids
  /** Disconnects and drops the database. */
  close(): Promise<void>
}

/**
 * A new database with the whole schema: a copy of a template, made in about 30 ms. With a language
 * for the case of letters (`tr`) it is migrated instead, which takes longer.
 */
export async function openTestDatabase(
  options: {
    clock?: ManualClock
    seed?: number | string
    poolMax?: number
    language?: string
  } = {},
): Promise<TestDatabase> {
  const { language = null } = options
  const made = await makeDatabase(language === null ? TEMPLATE : null, language)
  if (language !== null) await migrateWhole(made.urls.owner)
  const { urls, adminUrl } = made
  const clock = options.clock ?? new ManualClock()
  const ids = uuids(clock, new SeededRandom(options.seed ?? 'test database'))
  const poolMax = options.poolMax ?? 10
  const database = openDatabase({ urls, clock, ids, log: silentLog(), poolMax })
  const close = async () => {
    await database.close()
    await made.drop()
  }
  return { database, urls, adminUrl, clock, ids, close }
}

/**
 * How many in this database wait for another transaction. Only an administrator sees those of other
 * roles, and the server is shared with other tests.
 */
export function countWaiting({ adminUrl }: Pick<TestDatabase, 'adminUrl'>): Promise<number> {
  return withSession(adminUrl, async (session) => {
    const rows = await session.many(sql<{ pid: number }>`
      select pid
        from pg_stat_activity
       where datname = current_database()
         and wait_event_type = 'Lock'`)
    return rows.length
  })
}

/**
 * Starts `count` calls, at most `width` of them at a time. A burst that is wider than the pool
 * would fail on a slow machine, since a call waits only ten seconds for a connection.
 */
export async function burst<T>(
  count: number,
  width: number,
  start: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const repeat = async () => {
    for (let index = next++; index < count; index = next++) results[index] = await start(index)
  }
  await Promise.all(Array.from({ length: width }, repeat))
  return results
}

/** A database without anything in it, for tests of what comes before the schema. */
export async function makeEmptyDatabase(): Promise<EmptyDatabase> {
  return makeDatabase(null)
}

async function makeDatabase(
  template: string | null,
  language: string | null = null,
): Promise<EmptyDatabase> {
  const server = await findServer()
  const name = `${server.prefix}${randomBytes(6).toString('hex')}`
  const copied = template === null ? null : server.prefix + template
  await createDatabase(server, name, copied, language)
  const { owner, engine, api } = server.urls
  return {
    urls: {
      owner: withDatabaseName(owner, name),
      engine: withDatabaseName(engine, name),
      api: withDatabaseName(api, name),
    },
    adminUrl: withDatabaseName(server.adminUrl, name),
    drop: () =>
      withSession(server.adminUrl, (session) =>
        session.script(`drop database if exists ${name} with (force)`),
      ),
  }
}

let found: Promise<TestServer> | null = null

function findServer(): Promise<TestServer> {
  return (found ??= askForMade(inject('testServerDoor')))
}
