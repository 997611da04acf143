import { sql } from 'kysely'
import type { Applied } from './migration-files.ts'
import type { Queries } from './queries.ts'

/** Any constant will do, as long as every process that migrates takes the same. */
const MIGRATION_LOCK = 7_310_547

/** One migrator at a time for each database; held until the transaction ends. */
export async function lockMigrations(session: Queries): Promise<void> {
  await session.many(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
}

/** Whether this database was ever migrated. */
export async function hasMigrations(session: Queries): Promise<boolean> {
  const { found } = await session.one(sql<{ found: boolean }>`
    select to_regclass('public.schema_migrations') is not null as found`)
  return found
}

export async function createMigrations(session: Queries): Promise<void> {
  await session.run(sql`
    create table if not exists public.schema_migrations (
      name       text primary key,
      checksum   text not null,
      applied_at timestamptz(3) not null default now()
    )`)
}

/**
 * The other roles read the history and never write it, whatever a migration granted on all tables.
 * Run before the commit of every migration.
 */
export async function guardMigrations(session: Queries): Promise<void> {
  await session.run(sql`
    revoke all on public.schema_migrations from public, sluice_engine, sluice_api`)
  await session.run(sql`
    grant select on public.schema_migrations to sluice_engine, sluice_api`)
}

export async function listMigrations(session: Queries): Promise<Applied[]> {
  return session.many(sql<Applied>`
    select name, checksum
      from public.schema_migrations
     order by name`)
}

export async function insertMigration(session: Queries, applied: Applied): Promise<void> {
  await session.run(sql`
    insert into public.schema_migrations (name, checksum)
    values (${applied.name}, ${applied.checksum})`)
}
