import { Compile, Errors, type XSchema } from 'typebox/schema'
import type { Json } from '../world/ask.ts'

/** An operation as the OpenAPI document describes it, references resolved as they are needed. */
export interface Described {
  id: string
  method: string
  /** With its parameters in braces. */
  path: string
  security: readonly string[]
  parameters: readonly { name: string; in: 'path' | 'query'; required: boolean; schema: Json }[]
  body: Json | null
  /** Schemas of the answers, by status. */
  answers: ReadonlyMap<number, Answers>
}

interface Answers {
  /** Violations in an answer; empty for a documented one. */
  wrongsOf(body: unknown): string[]
}

/** The document as it was fetched: its operations, and a way to what a schema refers to. */
export interface Document {
  operations: readonly Described[]
  resolve: (schema: Json) => Json
}

/** Reads an OpenAPI 3.1 document; only what is served as JSON is an operation here. */
export function readDocument(document: Json): Document {
  const components = document['components'] as Json
  const schemas = (components['schemas'] ?? {}) as Record<string, Json>
  const resolve = (schema: Json): Json => {
    const { $ref: reference = '' } = schema as { $ref?: string }
    const name = /^#\/components\/schemas\/(.+)$/.exec(reference)?.[1]
    return name === undefined ? schema : resolve(schemas[name] ?? {})
  }
  const context = closed(schemas) as Record<string, Json>
  const paths = Object.entries(document['paths'] as Record<string, Record<string, Json>>)
  const operations = paths
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) =>
        describe({ path, method, operation, schemas: context }),
      ),
    )
    .filter(({ answers }) => answers.size > 0)
  return { operations, resolve }
}

function describe({
  path,
  method,
  operation,
  schemas,
}: {
  path: string
  method: string
  operation: Json
  schemas: Record<string, Json>
}): Described {
  const responses = operation['responses'] as Record<string, Json>
  const answers = Object.entries(responses).flatMap(([status, response]) => {
    const schema = schemaIn(response['content'])
    return schema === null ? [] : [[Number(status), openAnswers(schema, schemas)] as const]
  })
  const request = operation['requestBody'] as Json | undefined
  const security = (operation['security'] ?? []) as Json[]
  return {
    id: String(operation['operationId']),
    method: method.toUpperCase(),
    path,
    security: security.flatMap((one) => Object.keys(one)),
    parameters: (operation['parameters'] ?? []) as Described['parameters'][number][],
    body: request === undefined ? null : schemaIn(request['content']),
    answers: new Map(answers),
  }
}

function schemaIn(content: unknown): Json | null {
  const json = Object(content)['application/json'] as { schema?: Json } | undefined
  return json?.schema ?? null
}

function openAnswers(schema: Json, schemas: Record<string, Json>): Answers {
  const root = { ...(closed(schema) as Json), components: { schemas } } as XSchema
  const compiled = Compile(root)
  return {
    wrongsOf: (body) => {
      if (compiled.Check(body)) return []
      const [, errors] = Errors(root, body)
      return errors.slice(0, 5).map(({ instancePath, message }) => `${instancePath} ${message}`)
    },
  }
}

/**
 * The same schema, closed for undescribed keys: answers must be documented. Parts that only extend
 * another schema, and objects declared open, stay open.
 */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).map(([key, value]) =>
    key === 'allOf' ? [key, value as unknown] : [key, closed(value)],
  )
  const copy = Object.fromEntries(entries) as Json
  const isObject = copy['type'] === 'object' && typeof copy['properties'] === 'object'
  return isObject && !('additionalProperties' in copy)
    ? { ...copy, additionalProperties: false }
    : copy
}
