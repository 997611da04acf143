import { assert } from '../base/assert.ts'
import { Refusal } from '../base/fault.ts'
import type { Log } from '../base/log.ts'
import { AS_OWNER } from './as-owner.ts'
import type { BackupHead } from './backup.ts'
import { parseHead } from './backup-head.ts'
import {
  type BackedUpTable,
  checkReferences,
  finishTable,
  insertRows,
  prepareTable,
  selectTables,
} from './backup-rows.ts'
import { inTransaction, withSession } from './connection.ts'
import { migrate, migrationStatus } from './migrate.ts'
import { type Migration, readMigrations } from './migration-files.ts'
import type { Queries } from './queries.ts'

export interface RestoreOptions {
  ownerUrl: string
  /** Holds the migrations. */
  folder: URL | string
  log: Log
  /** Whether the database holds nobody's money yet; asked before anything is changed. */
  isVacant: (session: Queries) => Promise<boolean>
  /** What must be true of a restored database, in the very commit that restores it. */
  settle: (session: Queries, head: BackupHead) => Promise<void>
}

const INSERT_ROWS = 500

/**
 * Puts a backup's lines into a database that holds nothing, all of them or none, at the schema that
 * they were written from, and then brings it forward. The lines are to be the whole of them: who
 * reads them from a file throws at its end where the file's sum is wrong, and nothing is kept.
 * Throws a plain sentence where the database is in use, or the backup is not one that this program
 * can read.
 */
export async function restoreBackup(
  options: RestoreOptions,
  lines: AsyncIterable<string>,
): Promise<{ head: BackupHead; tables: number; rows: number }> {
  const reading = lines[Symbol.asyncIterator]()
  const first = await reading.next()
  const head = parseHead(first.done === true ? '' : first.value)
  const upTo = countKnown(await readMigrations(options.folder), head)
  await refuseAhead(options, upTo)
  await migrate({ ...options, upTo })
  const counts = await withSession(options.ownerUrl, (session) =>
    inTransaction(session, async () => {
      await session.script(AS_OWNER)
      if (!(await options.isVacant(session)))
        refuse('The database is in use: a backup is restored into a new one.')
      const loaded = await load(session, { [Symbol.asyncIterator]: () => reading })
      await options.settle(session, head)
      return loaded
    }),
  )
  await migrate(options)
  return { head, ...counts }
}

function refuse(says: string): never {
  throw new Refusal('BAD_REQUEST', {}, says)
}

/** The program must know every migration that the backup's database had, and in its order. */
function countKnown(files: readonly Migration[], head: BackupHead): number {
  for (const [at, { name, checksum }] of head.migrations.entries()) {
    if (files[at]?.name === name && files[at].checksum === checksum) continue
    refuse(
      `The backup was written by sluice ${head.program} with the migration ${name}, which this ` +
        'program does not know: restore it with that version or a later one.',
    )
  }
  return head.migrations.length
}

/**
 * A schema does not go back. Also an empty database may be ahead of an old backup: any command of a
 * newer program brings it there.
 */
async function refuseAhead(options: RestoreOptions, upTo: number): Promise<void> {
  const { applied } = await migrationStatus(options)
  if (applied.length <= upTo) return
  refuse(
    'The database has a newer schema than the backup: a backup is restored into a new one, in ' +
      'which no other command has run before.',
  )
}

async function load(
  session: Queries,
  lines: AsyncIterable<string>,
): Promise<{ tables: number; rows: number }> {
  const tables = await selectTables(session)
  // From the last to the first, so that nothing is emptied that another still names.
  for (const table of tables.toReversed()) await prepareTable(session, table)
  let table: BackedUpTable | null = null
  let waiting: string[] = []
  let rows = 0
  const flush = async () => {
    if (waiting.length === 0) return
    assert(table !== null, 'rows of no table')
    rows += await insertRows(session, table, waiting)
    waiting = []
  }
  for await (const line of lines) {
    if (line.startsWith('# ')) {
      await flush()
      table = find(tables, line.slice(2))
      continue
    }
    waiting.push(line)
    if (waiting.length >= INSERT_ROWS) await flush()
  }
  await flush()
  await checkReferences(session)
  for (const one of tables) await finishTable(session, one)
  return { tables: tables.length, rows }
}

function find(tables: readonly BackedUpTable[], name: string): BackedUpTable {
  const found = tables.find((table) => table.name === name)
  return found ?? refuse(`The backup has a table ${name} that this program does not know.`)
}
