import { sql } from 'kysely'
import type { Applied } from './migration-files.ts'
import type { Queries } from './queries.ts'

/** An arbitrary constant, the same in every process that migrates. */
const MIGRATION_LOCK = 7_310_547

/** Allows one migration at a time for a database, until the transaction ends. */
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
 * Restricts the other roles to reading the history, in case a migration granted more on all tables.
 * Runs before the commit of every migration.
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
