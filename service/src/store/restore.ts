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
  /** Whether the database is unused; called before any change. */
  isVacant: (session: Queries) => Promise<boolean>
  /** Completes the restored database in the same transaction. */
  settle: (session: Queries, head: BackupHead) => Promise<void>
}

const INSERT_ROWS = 500

/**
 * Restores a backup into an unused database in one transaction, at the schema of the backup, and
 * then applies later migrations. If `lines` throws, as for an incomplete file, the transaction is
 * rolled back. Refuses a database in use, and a backup that this program cannot read.
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
        refuse('The database is in use. Restore the backup into a new one.')
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

/** Returns the number of the backup's migrations, all of which the program must know. */
function countKnown(files: readonly Migration[], head: BackupHead): number {
  for (const [at, { name, checksum }] of head.migrations.entries()) {
    if (files[at]?.name === name && files[at].checksum === checksum) continue
    refuse(
      `The backup was written by sluice ${head.program} with the migration ${name}, which this ` +
        'program does not know. Restore it with that version or a later one.',
    )
  }
  return head.migrations.length
}

/** A schema cannot be downgraded, and any command of a newer program upgrades it. */
async function refuseAhead(options: RestoreOptions, upTo: number): Promise<void> {
  const { applied } = await migrationStatus(options)
  if (applied.length <= upTo) return
  refuse(
    'The schema of the database is newer than that of the backup. Restore it into a new ' +
      'database, before any other command.',
  )
}

async function load(
  session: Queries,
  lines: AsyncIterable<string>,
): Promise<{ tables: number; rows: number }> {
  const tables = await selectTables(session)
  // From the last to the first, so that each table is emptied before those that it references.
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
  return found ?? refuse(`The backup has an unknown table ${name}.`)
}
