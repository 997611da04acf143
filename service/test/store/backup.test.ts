import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { iso } from '../../src/base/clock.ts'
import { selectTables } from '../../src/store/backup-rows.ts'
import { readBackup } from '../../src/store/backup.ts'
import { withSession } from '../../src/store/connection.ts'
import { migrate } from '../../src/store/migrate.ts'
import { restoreBackup } from '../../src/store/restore.ts'
import { silentLog } from '../support/clock.ts'
import { makeEmptyDatabase } from '../support/database.ts'
import { writeMigrations } from './tiny.ts'

const TINY = `
  create table people (
    id bigint generated always as identity primary key,
    name text not null,
    boss bigint references people (id) deferrable initially deferred
  );
  create table accounts (
    person_id bigint not null references people (id),
    amount numeric(78,0) not null,
    twice numeric generated always as (amount * 2) stored,
    sealed bytea not null,
    seen_at timestamptz(3) not null,
    notes jsonb not null default '{}',
    tags text[] not null default '{}'
  );
  create table counters (only_row boolean primary key default true, next integer not null);
  insert into counters (next) values (0);
  create function count_up() returns trigger language plpgsql
    as $$ begin update counters set next = next + 1; return null; end $$;
  create trigger accounts_counted after insert on accounts
    for each statement execute function count_up();`

const FILL = `
  insert into people (name) values ('Anna'), (E'B\\u2028ob "quoted" \\\\ back');
  insert into people (name, boss) values ('Carl', 1);
  insert into accounts (person_id, amount, sealed, seen_at, notes, tags) values
    (1, 2::numeric ^ 255, '\\x00ff', '2026-01-02 03:04:05.678Z', '{"a": [1, null]}', '{x,"y z"}'),
    (3, 0, '', '1969-12-31 23:59:59.999Z', '{}', '{}');
  select 1;`

async function migrationsOf(files: Record<string, string>): Promise<string> {
  const migrations = await writeMigrations(files)
  onTestFinished(() => migrations.remove())
  return migrations.folder
}

async function database(): Promise<string> {
  const empty = await makeEmptyDatabase()
  onTestFinished(() => empty.drop())
  return empty.urls.owner
}

async function filled(folder: string): Promise<string> {
  const ownerUrl = await database()
  await migrate({ ownerUrl, folder, log: silentLog() })
  await withSession(ownerUrl, (session) => session.script(FILL))
  return ownerUrl
}

async function linesOf(ownerUrl: string): Promise<string[]> {
  const lines: string[] = []
  const options = { ownerUrl, program: '1.2.3', seed: '00c0ffee', now: 0 }
  await readBackup(options, async (line) => void lines.push(line))
  return lines
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}

function target(ownerUrl: string, folder: string) {
  return {
    ownerUrl,
    folder,
    log: silentLog(),
    isVacant: async () => true,
    settle: async () => undefined,
  }
}

test('a restored database equals the original to the last digit and byte [K07]', async () => {
  const folder = await migrationsOf({ '0001-tiny.sql': TINY })
  const lines = await linesOf(await filled(folder))
  const ownerUrl = await database()
  const restored = await restoreBackup(target(ownerUrl, folder), each(lines))
  expect(restored).toMatchObject({ tables: 3, rows: 6, head: { seed: '00c0ffee' } })
  expect(await linesOf(ownerUrl)).toEqual(lines)
  const twice = await withSession(ownerUrl, (session) =>
    session.many(sql<{ twice: bigint }>`select twice from accounts order by twice desc`),
  )
  expect(twice.map((row) => row.twice)).toEqual([2n ** 256n, 0n])
})

test('sequences continue after the restored rows, and triggers work again [K07]', async () => {
  const folder = await migrationsOf({ '0001-tiny.sql': TINY })
  const lines = await linesOf(await filled(folder))
  const ownerUrl = await database()
  await restoreBackup(target(ownerUrl, folder), each(lines))
  const { id, next } = await withSession(ownerUrl, async (session) => {
    const one = sql<{ id: number }>`insert into people (name) values ('Dora') returning id`
    const { id: made } = await session.one(one)
    await session.script(`insert into accounts (person_id, amount, sealed, seen_at)
      values (1, 5, '', '${iso(0)}')`)
    return { id: made, ...(await session.one(sql<{ next: number }>`select next from counters`)) }
  })
  expect({ id, next }).toEqual({ id: 4, next: 2 })
})

test('a backup is restored at its own schema and then migrated [K07]', async () => {
  const old = await migrationsOf({ '0001-tiny.sql': TINY })
  const later = await migrationsOf({
    '0001-tiny.sql': TINY,
    '0002-upper.sql':
      'alter table people add column upper text; update people set upper = upper(name);',
  })
  const lines = await linesOf(await filled(old))
  const ownerUrl = await database()
  await restoreBackup(target(ownerUrl, later), each(lines))
  const names = await withSession(ownerUrl, (session) =>
    session.many(sql<{ upper: string }>`select upper from people order by id`),
  )
  expect(names[0]).toEqual({ upper: 'ANNA' })
  // The database was already migrated by a command of the newer program.
  const ahead = await database()
  await migrate({ ownerUrl: ahead, folder: later, log: silentLog() })
  await expect(restoreBackup(target(ahead, later), each(lines))).rejects.toThrow(
    'The schema of the database is newer than that of the backup',
  )
  const newer = await linesOf(ownerUrl)
  await expect(restoreBackup(target(await database(), old), each(newer))).rejects.toThrow(
    'with the migration 0002-upper, which this program does not know',
  )
})

test('a failed restore keeps no rows [K07]', async () => {
  const folder = await migrationsOf({ '0001-tiny.sql': TINY })
  const lines = await linesOf(await filled(folder))
  const ownerUrl = await database()
  const failing = async function* () {
    yield* lines
    throw new Error('the file is not whole')
  }
  await expect(restoreBackup(target(ownerUrl, folder), failing())).rejects.toThrow('not whole')
  const strange = [...lines, '# horses', '{}']
  await expect(restoreBackup(target(ownerUrl, folder), each(strange))).rejects.toThrow('horses')
  await expect(restoreBackup(target(ownerUrl, folder), each(['hello']))).rejects.toThrow(
    'not a Sluice backup',
  )
  const busy = { ...target(ownerUrl, folder), isVacant: async () => false }
  await expect(restoreBackup(busy, each(lines))).rejects.toThrow('The database is in use')
  const refusing = {
    ...target(ownerUrl, folder),
    settle: () => Promise.reject(new Error('another seed')),
  }
  await expect(restoreBackup(refusing, each(lines))).rejects.toThrow('another seed')
  const people = await withSession(ownerUrl, (session) => session.many(sql`select id from people`))
  expect(people).toEqual([])
})

test('a backup has each table after the tables that its rows reference', async () => {
  const empty = await database()
  await migrate({
    ownerUrl: empty,
    folder: new URL('../../migrations/', import.meta.url),
    log: silentLog(),
  })
  const names = await withSession(empty, async (session) =>
    (await selectTables(session)).map(({ name }) => name),
  )
  const isBefore = (one: string, other: string) => names.indexOf(one) < names.indexOf(other)
  expect(isBefore('organizations', 'users')).toBe(true)
  expect(isBefore('accounts', 'incoming_transfers')).toBe(true)
  expect(isBefore('events', 'deliveries')).toBe(true)
  expect(names).not.toContain('leases')
})
