import { Outage } from '../base/fault.ts'
import type { Log } from '../base/log.ts'
import { AS_OWNER } from './as-owner.ts'
import { inTransaction, withSession } from './connection.ts'
import type { Session } from './connection.ts'
import { checkHistory, readMigrations } from './migration-files.ts'
import type { Applied, Migration } from './migration-files.ts'
import {
  createMigrations,
  guardMigrations,
  hasMigrations,
  insertMigration,
  listMigrations,
  lockMigrations,
} from './migration-rows.ts'
import type { Queries } from './queries.ts'
import { hasRole, prepareRoles } from './roles.ts'

export interface MigrateOptions {
  ownerUrl: string
  /** Holds `NNNN-name.sql`. */
  folder: URL | string
  log: Log
  /** Applies only this many files, counted from the first. Default: all. */
  upTo?: number
}

/**
 * Brings the database to the program's schema: creates missing roles, then applies each new file in
 * its own transaction as sluice_owner. Several processes may run it at once; one of them applies
 * the files. Throws if the history does not fit (`checkHistory`), if a file fails, or if the user
 * has no right to prepare the database.
 */
export async function migrate(options: MigrateOptions): Promise<{ applied: readonly string[] }> {
  const files = (await readMigrations(options.folder)).slice(0, options.upTo)
  return withSession(options.ownerUrl, async (session) => {
    await prepare(session)
    const applied: string[] = []
    for (;;) {
      const name = await inTransaction(session, () => applyNext(session, files))
      if (name === null) return { applied }
      applied.push(name)
      options.log.info({ migration: name }, 'migrated')
    }
  })
}

/** How the program's migrations and the database's differ, by name. */
export interface MigrationStatus {
  applied: readonly string[]
  /** Known to the program, not yet applied. */
  pending: readonly string[]
  /** Applied, but unknown to the program or since changed: the program must not run. */
  unknown: readonly string[]
}

/**
 * The state of a database for `sluice doctor`; one that was never migrated has everything pending.
 */
export async function migrationStatus(options: {
  ownerUrl: string
  folder: URL | string
}): Promise<MigrationStatus> {
  const files = await readMigrations(options.folder)
  return withSession(options.ownerUrl, (session) =>
    inTransaction(session, async () => {
      if (!(await hasMigrations(session))) return compare(files, [])
      if (await hasRole(session, 'sluice_owner')) await session.script(AS_OWNER)
      return compare(files, await listMigrations(session))
    }),
  )
}

/**
 * The same inside a step of the running service, for `/readyz`; the folder is read once, by the
 * caller.
 */
export async function migrationsOf(
  tx: Queries,
  files: readonly Migration[],
): Promise<MigrationStatus> {
  if (!(await hasMigrations(tx))) return compare(files, [])
  return compare(files, await listMigrations(tx))
}

async function prepare(session: Session): Promise<void> {
  await prepareRoles(session)
  await inTransaction(session, async () => {
    await lockMigrations(session)
    await session.script(AS_OWNER)
    if (!(await hasMigrations(session))) await createMigrations(session)
  })
}

async function applyNext(session: Session, files: readonly Migration[]): Promise<string | null> {
  await lockMigrations(session)
  await session.script(AS_OWNER)
  const [next] = checkHistory(files, await listMigrations(session))
  if (next === undefined) return null
  await runMigration(session, next)
  await session.script(AS_OWNER)
  await insertMigration(session, next)
  await guardMigrations(session)
  return next.name
}

async function runMigration(session: Session, { name, text }: Migration): Promise<void> {
  try {
    await session.script(text)
  } catch (error) {
    if (error instanceof Outage) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`The migration ${name}.sql failed and was rolled back: ${why}`, {
      cause: error,
    })
  }
}

function compare(files: readonly Migration[], applied: readonly Applied[]): MigrationStatus {
  const isKnown = (row: Applied) =>
    files.some((file) => file.name === row.name && file.checksum === row.checksum)
  const isApplied = (file: Migration) => applied.some((row) => row.name === file.name)
  return {
    applied: applied.map((row) => row.name),
    pending: files.filter((file) => !isApplied(file)).map((file) => file.name),
    unknown: applied.filter((row) => !isKnown(row)).map((row) => row.name),
  }
}
