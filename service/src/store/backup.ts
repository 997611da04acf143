import { type Millis, iso } from '../base/clock.ts'
import type { Applied } from './migration-files.ts'
import { listMigrations } from './migration-rows.ts'
import { inTransaction, withSession } from './connection.ts'
import { closeRows, fetchRows, openRows, selectTables } from './backup-rows.ts'
import type { Queries } from './queries.ts'
import { AS_OWNER } from './as-owner.ts'

/** The first line of a backup. */
export interface BackupHead {
  sluice: 'backup'
  /** Of the format; a program reads those that it knows. */
  version: 1
  createdAt: string
  /** The version of the program that wrote it. */
  program: string
  /** The fingerprint of the seed that its addresses come from; no secret. */
  seed: string
  migrations: readonly Applied[]
}

const FETCH_ROWS = 1_000

/**
 * Everything that the database holds, as lines of text in the order in which they can be put back:
 * the head, then `# <table>` and one JSON object for each row of it. It is one picture, of one
 * moment, however long it takes and whatever the service does meanwhile; nobody is locked out.
 * Throws an Outage where the database is away.
 */
export async function readBackup(
  given: { ownerUrl: string; program: string; seed: string; now: Millis },
  onLine: (line: string) => Promise<void>,
): Promise<{ tables: number; rows: number }> {
  return withSession(given.ownerUrl, (session) =>
    inTransaction(session, async () => {
      await session.script('set transaction isolation level repeatable read, read only')
      await session.script(AS_OWNER)
      await onLine(JSON.stringify(await headOf(session, given)))
      const tables = await selectTables(session)
      let rows = 0
      for (const table of tables) {
        await onLine(`# ${table.name}`)
        await openRows(session, table)
        for (;;) {
          const lines = await fetchRows(session, FETCH_ROWS)
          if (lines.length === 0) break
          for (const line of lines) await onLine(line)
          rows += lines.length
        }
        await closeRows(session)
      }
      return { tables: tables.length, rows }
    }),
  )
}

async function headOf(
  session: Queries,
  { program, seed, now }: { program: string; seed: string; now: Millis },
): Promise<BackupHead> {
  const migrations = await listMigrations(session)
  return { sluice: 'backup', version: 1, createdAt: iso(now), program, seed, migrations }
}
