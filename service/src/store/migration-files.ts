import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Refusal } from '../base/fault.ts'

const FILE_SHAPE = /^([0-9]{4})-[a-z0-9-]+\.sql$/
/** Written by `tools/dump-schema.mjs` into the same folder; not a migration. */
const DUMP = 'schema.sql'

export interface Migration {
  /** The file's name without `.sql`. */
  name: string
  /** SHA-256 of the file's bytes, in hex. */
  checksum: string
  text: string
}

/** A migration that the database has. */
export interface Applied {
  name: string
  checksum: string
}

/** Reads `NNNN-name.sql` files. Throws unless they are numbered from 0001 without gaps. */
export async function readMigrations(folder: URL | string): Promise<Migration[]> {
  const path = folder instanceof URL ? fileURLToPath(folder) : folder
  const names = (await readdir(path)).filter((name) => name.endsWith('.sql') && name !== DUMP)
  return Promise.all(names.toSorted().map((name, at) => readMigration(path, name, at + 1)))
}

async function readMigration(folder: string, file: string, number: number): Promise<Migration> {
  const found = FILE_SHAPE.exec(file)
  if (found === null || Number(found[1]) !== number) {
    const expected = `${String(number).padStart(4, '0')}-<name>.sql`
    throw new Error(`The migration ${file} does not continue the numbering: expected ${expected}.`)
  }
  const bytes = await readFile(join(folder, file))
  return {
    name: file.slice(0, -'.sql'.length),
    checksum: createHash('sha256').update(bytes).digest('hex'),
    text: bytes.toString('utf8'),
  }
}

/**
 * Returns the migrations that the database does not have yet, in order. Throws if the database is
 * newer than the program, was made by a development version, or an applied file has changed.
 */
export function checkHistory(
  files: readonly Migration[],
  applied: readonly Applied[],
): Migration[] {
  for (const [at, row] of applied.entries()) {
    const file = files[at]
    if (file === undefined)
      refuse(
        `The database is newer than the program: it has the migration ${row.name}, which this ` +
          'program does not know. Run the version that wrote it, or a later one.',
      )
    if (file.name !== row.name)
      refuse(
        `The database was made by an unreleased development version (migration ${row.name} in ` +
          `place of ${file.name}), which cannot be upgraded. Use a new, empty database.`,
      )
    if (file.checksum !== row.checksum)
      refuse(
        `The migration ${row.name}.sql was changed after it was applied to this database. ` +
          'Restore the file; a change of the schema is a new migration.',
      )
  }
  return files.slice(applied.length)
}

function refuse(says: string): never {
  throw new Refusal('BAD_REQUEST', {}, says)
}
