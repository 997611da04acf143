import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withSession } from '../../src/store/connection.ts'
import type { Tx } from '../../src/store/database.ts'
import type { Queries } from '../../src/store/queries.ts'
import { setHostileDefaults } from '../support/hostile-database.ts'
import { openTiny } from './tiny.ts'
import type { Tiny } from './tiny.ts'

const MOMENT = Date.UTC(2026, 2, 4, 5, 6, 7)
const BYTES = new Uint8Array([0, 92, 255, 39])

let tiny: Tiny
beforeAll(async () => {
  tiny = await openTiny()
  await setHostileDefaults(tiny.empty.adminUrl)
})
afterAll(() => tiny.close())

/** Reads values whose text depends on settings, and some of the settings themselves. */
async function readAll(queries: Queries): Promise<Record<string, unknown>> {
  return queries.one(sql<Record<string, unknown>>`
    select ${new Date(MOMENT).toISOString()}::timestamptz as moment,
           ${BYTES}::bytea as bytes,
           (${['a', null, 'NULL']}::text[])[2] is null as list,
           'a\\b' as quoted,
           (null = 'x') is null as unknown,
           current_setting('search_path') as path,
           current_setting('row_security') as rows,
           current_setting('lock_timeout') as locks,
           current_setting('synchronous_commit') as durable,
           current_setting('transaction_isolation') as isolation`)
}

const RELIED_ON = {
  moment: MOMENT,
  bytes: BYTES,
  list: true,
  quoted: 'a\\b',
  unknown: true,
  path: 'public',
  rows: 'on',
  locks: '0',
  durable: 'on',
  isolation: 'read committed',
}

const EVERY_WAY: [string, (work: (tx: Tx) => Promise<unknown>) => Promise<unknown>, string][] = [
  ['a step of the engine', (work) => tiny.reopen().transaction(work), 'read committed'],
  ['a snapshot', (work) => tiny.reopen().snapshot(work), 'repeatable read'],
  ['a step of the API', (work) => tiny.reopen().asApi(work), 'read committed'],
]

test.each(EVERY_WAY)(
  '%s reads values exactly when the database has hostile defaults',
  async (_way, run, isolation) => {
    expect(await run(readAll)).toEqual({ ...RELIED_ON, isolation })
  },
)

test('a session reads values exactly when the database has hostile defaults', async () => {
  const { urls } = tiny.empty
  expect(await withSession(urls.owner, readAll)).toEqual(RELIED_ON)
})

test('an API step keeps its own statement timeout when the database has another', async () => {
  const setting = sql<{ ms: string }>`select current_setting('statement_timeout') as ms`
  expect(await tiny.reopen().asApi((tx) => tx.one(setting))).toEqual({ ms: '45s' })
})

test('the witness outlives the idle limit that the database sets for sessions', async () => {
  const database = tiny.reopen()
  const name = await database.witness()
  const limit = await withSession(tiny.empty.adminUrl, (session) =>
    session.many(sql<{ ends: number }>`
      select count(*)::int8 as ends
        from pg_stat_activity
       where pid || '/' || extract(epoch from backend_start) = ${name}
         and pg_sleep(0.4) is not null`),
  )
  expect(limit).toEqual([{ ends: 1 }])
  const after = await withSession(tiny.empty.adminUrl, (session) =>
    session.many(sql`
      select pid
        from pg_stat_activity
       where pid || '/' || extract(epoch from backend_start) = ${name}`),
  )
  expect(after).toHaveLength(1)
})
