import * as wire from '@sluice/wire'
import { type TSchema, Type } from 'typebox'

/** A JSON Schema (2020-12), as in OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** The name of every named schema of the wire. */
const NAMES: ReadonlyMap<unknown, string> = new Map(
  Object.entries(wire).flatMap(([name, schema]): [unknown, string][] =>
    Type.IsSchema(schema) && Type.IsObject(schema) ? [[schema, name]] : [],
  ),
)

/**
 * A schema of the wire for the document: named objects become references, and constraints that a
 * route checks itself (`documented`) are merged with those of the validation.
 */
export function schemaOf(schema: TSchema): JsonSchema {
  const name = NAMES.get(schema)
  return name === undefined ? inlined(schema) : { $ref: `#/components/schemas/${name}` }
}

/** All named schemas that some others refer to, by name. */
export function namedSchemas(roots: readonly JsonSchema[]): Record<string, JsonSchema> {
  const found: Record<string, JsonSchema> = {}
  const waiting = roots.flatMap(namesIn)
  for (const name of waiting) {
    if (name in found) continue
    const entry = [...NAMES].find(([, one]) => one === name)
    if (entry === undefined || !Type.IsSchema(entry[0])) continue
    const schema = inlined(entry[0])
    found[name] = schema
    waiting.push(...namesIn(schema))
  }
  return Object.fromEntries(Object.entries(found).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    key === '$ref' ? [String(inner).replace('#/components/schemas/', '')] : namesIn(inner),
  )
}

function inlined(schema: TSchema): JsonSchema {
  const {
    documented,
    converted: _converted,
    ...keywords
  } = Object.fromEntries(Object.entries(schema))
  const parts = Object.entries(keywords).map(([key, value]) => [key, partOf(key, value)])
  return { ...plain(Object.fromEntries(parts)), ...Object(documented) }
}

function partOf(key: string, value: unknown): unknown {
  if (key === 'properties' || key === 'patternProperties')
    return Object.fromEntries(
      Object.entries(Object(value)).map(([name, inner]) => [name, nested(inner)]),
    )
  if (key === 'items') return nested(value)
  if (['anyOf', 'allOf', 'oneOf'].includes(key) && Array.isArray(value)) return value.map(nested)
  return value
}

function nested(value: unknown): unknown {
  return Type.IsSchema(value) ? schemaOf(value) : value
}

/** Replaces `anyOf` of a text and null by a type of two names, which is easier to read. */
function plain(schema: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf)) return schema
  const kinds = anyOf.filter((one) => Object(one).type !== 'null')
  const [only] = kinds
  const isNullable = kinds.length === 1 && anyOf.length === 2
  if (!isNullable || typeof Object(only).type !== 'string') return schema
  const { type, ...limits } = Object(only)
  return { type: [type, 'null'], ...limits, ...rest }
}
