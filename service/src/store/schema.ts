import { readPieces } from './catalog-rows.ts'
import type { Kind, Piece } from './catalog-rows.ts'
import { inTransaction, withSession } from './connection.ts'
import type { Queries } from './queries.ts'

const HEADER =
  '-- What the migrations come to, read from the catalog by `node tools/dump-schema.mjs`.\n'

/** The statements after a table, in order. */
const AFTER_TABLE = [
  'options',
  'indexes',
  'triggers',
  'security',
  'policies',
  'grants',
  'columnGrants',
] as const satisfies readonly Kind[]

/**
 * The schema of a database as text: types, functions, views, and each table with its objects. Equal
 * schemas have equal texts, independent of the migrations that created them.
 */
export async function readSchema(ownerUrl: string): Promise<string> {
  return withSession(ownerUrl, (session) =>
    inTransaction(session, async () => {
      await session.script('set transaction isolation level repeatable read, read only')
      await session.script('set local search_path = public')
      const functions = await sections(session, ['functions', 'functionGrants'])
      const others = await sections(session, ['types', 'views'])
      return [HEADER, ...others, ...functions, ...(await tables(session))].join('\n')
    }),
  )
}

async function tables(session: Queries): Promise<string[]> {
  const columns = group(await readPieces(session, 'columns'))
  const constraints = group(await readPieces(session, 'constraints'))
  const after = new Map<string, string[]>()
  for (const kind of AFTER_TABLE) {
    for (const { object, text } of await readPieces(session, kind)) {
      after.set(object, [...(after.get(object) ?? []), text])
    }
  }
  const created = [...columns].map(([name, lines]) => {
    const body = [...lines, ...(constraints.get(name) ?? [])].map((line) => `  ${line}`)
    const head = `create table ${name} (\n${body.join(',\n')}\n);`
    const tail = after.get(name) ?? []
    after.delete(name)
    return `${[head, ...tail].join('\n')}\n`
  })
  // The rest belongs to no table: the grants of sequences and views.
  return [...created, ...[...after.values()].map((lines) => `${lines.join('\n')}\n`)]
}

async function sections(session: Queries, kinds: readonly Kind[]): Promise<string[]> {
  const pieces: Piece[] = []
  for (const kind of kinds) pieces.push(...(await readPieces(session, kind)))
  return [...group(pieces).values()].map((lines) => `${lines.join('\n')}\n`)
}

function group(pieces: readonly Piece[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { object, text } of pieces) found.set(object, [...(found.get(object) ?? []), text])
  return found
}
