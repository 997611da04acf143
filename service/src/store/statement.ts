import { createQueryId, PostgresQueryCompiler } from 'kysely'
import type { RawBuilder } from 'kysely'
import { assert } from '../base/assert.ts'
import { LISTED_TYPES, type ListedType, binaryList } from './binary-list.ts'

export interface Statement {
  text: string
  values: unknown[]
}

const compiler = new PostgresQueryCompiler()

/**
 * Turns one of kysely's `sql` texts into what the driver sends: `$1` in the text, values beside it.
 * A bigint goes as decimal digits, a list as an array (`unnest(${list}::numeric[])`), bytes as
 * bytea; an object for a jsonb column goes as JSON, but a list for one must be JSON already, since
 * a list means an array.
 */
export function toStatement(query: RawBuilder<unknown>): Statement {
  const { sql: text, parameters } = compiler.compileQuery(query.toOperationNode(), createQueryId())
  for (const [at, value] of parameters.entries()) {
    assert(value !== undefined, 'a statement with a value left out', { text, at })
    assert(typeof value !== 'number' || Number.isFinite(value), 'not a number', { text, at })
  }
  const values = parameters.map((value, at) =>
    Array.isArray(value) && value.length > 0 ? toList(value, castOf(text, at + 1)) : value,
  )
  return { text, values }
}

/** How the text casts the list in a place: as that it must be sent. */
function castOf(text: string, place: number): ListedType | null {
  const mark = `$${place}::`
  const at = text.indexOf(mark) + mark.length
  if (at < mark.length) return null
  return LISTED_TYPES.find((type) => text.startsWith(`${type}[]`, at)) ?? null
}

/**
 * A list whose type the text names goes in binary. Another one of what needs no escaping becomes an
 * array literal in one go: the driver would look at every element by itself (measured: tenfold).
 */
function toList(list: readonly unknown[], cast: ListedType | null): unknown {
  const binary = cast === null ? null : binaryList(cast, list)
  if (binary !== null) return binary
  if (!list.every(isPlain)) return list
  const text = list.join('')
  return text.includes('"') || text.includes('\\') ? list : `{"${list.join('","')}"}`
}

function isPlain(element: unknown): boolean {
  return typeof element === 'string' || typeof element === 'number' || typeof element === 'bigint'
}
