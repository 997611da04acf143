import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { uuids } from '../../src/base/id.ts'
import { openDatabase } from '../../src/store/database.ts'
import type { Database, DatabaseUrls } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { ManualClock, SeededRandom, silentLog } from '../support/clock.ts'
import { makeEmptyDatabase } from '../support/database.ts'
import type { EmptyDatabase } from '../support/database.ts'

/** A small schema for the tests of the store, independent of that of the service. */
export const TINY_SCHEMA = `
  create table leases (
    name       text primary key,
    holder     text not null,
    token      bigint not null,
    expires_at timestamptz(3) not null
  );
  create table jars (
    id     text primary key,
    amount numeric(96,0) not null
  );
  create table notes (
    org_id uuid not null,
    text   text not null
  );
  alter table notes enable row level security, force row level security;
  create policy owner_all on notes to sluice_owner using (true) with check (true);
  create policy engine_all on notes to sluice_engine using (true) with check (true);
  create policy own_org on notes to sluice_api
    using (org_id = nullif(current_setting('sluice.org_id', true), '')::uuid)
    with check (org_id = nullif(current_setting('sluice.org_id', true), '')::uuid);
  grant select, insert, update on leases, jars, notes to sluice_engine;
  grant select, insert on notes to sluice_api;
`

export interface Tiny {
  database: Database
  empty: EmptyDatabase
  clock: ManualClock
  /** A further way to the same database, over other URLs or with other limits. */
  reopen(options?: { urls?: DatabaseUrls; poolMax?: number }): Database
  close(): Promise<void>
}

/** A database with the small schema. */
export async function openTiny(): Promise<Tiny> {
  const empty = await makeEmptyDatabase()
  const migrations = await writeMigrations({ '0001-tiny.sql': TINY_SCHEMA })
  await migrate({ ownerUrl: empty.urls.owner, folder: migrations.folder, log: silentLog() })
  await migrations.remove()
  const clock = new ManualClock()
  const opened: Database[] = []
  const reopen: Tiny['reopen'] = ({ urls = empty.urls, poolMax = 10 } = {}) => {
    const ids = uuids(clock, new SeededRandom(`tiny ${opened.length}`))
    const database = openDatabase({ urls, clock, ids, log: silentLog(), poolMax })
    opened.push(database)
    return database
  }
  const close = async () => {
    await Promise.all(opened.map((database) => database.close()))
    await empty.drop()
  }
  return { database: reopen(), empty, clock, reopen, close }
}

export interface Migrations {
  folder: string
  add(files: Record<string, string>): Promise<void>
  remove(): Promise<void>
}

/** A folder of migrations, by file name. */
export async function writeMigrations(files: Record<string, string>): Promise<Migrations> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-migrations-'))
  const add: Migrations['add'] = async (more) => {
    for (const [name, text] of Object.entries(more)) await writeFile(join(folder, name), text)
  }
  await add(files)
  return { folder, add, remove: () => rm(folder, { recursive: true, force: true }) }
}
