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
  /** Version of the format. */
  version: 1
  createdAt: string
  /** The version of the program that wrote it. */
  program: string
  /** The fingerprint of the seed of its addresses; not secret. */
  seed: string
  migrations: readonly Applied[]
}

const FETCH_ROWS = 1_000

/**
 * Reads the whole database as lines of text in the order in which they can be restored: the head,
 * then for each table `# <table>` and one JSON object for each row. All of it is one snapshot,
 * which blocks no other transaction. Throws an Outage like every query.
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
