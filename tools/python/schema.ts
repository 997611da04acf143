import type { JsonSchema } from '../../service/src/api/openapi/schemas.ts'

/** The named schemas of a document. */
export type Schemas = Readonly<Record<string, JsonSchema>>

/** The fields of an object, its own and those of the schemas that it is composed of. */
export interface Shape {
  properties: Readonly<Record<string, JsonSchema>>
  required: readonly string[]
}

const REFERENCE = '#/components/schemas/'

/** The name of the schema that a schema refers to; null if it is no reference. */
export function referenceOf(schema: JsonSchema): string | null {
  const reference = textOf(schema['$ref'])
  return reference === '' ? null : reference.slice(REFERENCE.length)
}

/** The fields of a schema. Throws an Error for a reference to a missing schema. */
export function shapeOf(schema: JsonSchema, schemas: Schemas): Shape {
  const reference = referenceOf(schema)
  if (reference !== null) return shapeOf(named(reference, schemas), schemas)
  const parts = Array.isArray(schema['allOf']) ? schema['allOf'] : []
  const shapes = parts.map((part: JsonSchema) => shapeOf(part, schemas))
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return {
    properties: Object.assign(
      {},
      ...shapes.map(({ properties }) => properties),
      Object(schema['properties'] ?? {}),
    ),
    required: [...shapes.flatMap((shape) => shape.required), ...required],
  }
}

function named(name: string, schemas: Schemas): JsonSchema {
  const schema = schemas[name]
  if (schema === undefined) throw new Error(`the document has no schema ${name}`)
  return schema
}

/** The schema of the values of an object whose keys are not known; null if it has no schema. */
export function valuesOf(schema: JsonSchema): JsonSchema | null {
  const [byPattern] = Object.values(Object(schema['patternProperties'] ?? {}))
  const values: unknown = byPattern ?? schema['additionalProperties']
  return typeof values === 'object' && values !== null && Object.keys(values).length > 0
    ? Object(values)
    : null
}

/** A keyword that is a text; "" if it is missing. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
