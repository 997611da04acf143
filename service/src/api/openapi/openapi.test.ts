import { EVENT_TYPES, OPERATIONS } from '@sluice/wire'
import Schema from 'typebox/schema'
import { describe, expect, test } from 'vitest'
import { openApiDocument } from './openapi.ts'

type Json = Readonly<Record<string, unknown>>

const document: Json = { ...openApiDocument() }
const METHODS = ['get', 'post', 'patch', 'delete']

/** Every object of the document, with its path. */
function objectsIn(value: unknown, path = '#'): [path: string, object: Json][] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, one]: [string, unknown]) =>
    objectsIn(one, `${path}/${key}`),
  )
  return Array.isArray(value) ? inner : [[path, parseObject(value)], ...inner]
}

function parseObject(value: unknown): Json {
  return Object(value) as Json
}

function at(pointer: string): unknown {
  const keys = pointer.replace(/^#\//, '').split('/')
  return keys.reduce<unknown>((value, key) => parseObject(value)[key], document)
}

/** A schema with its references resolved; schemas are not recursive. */
function whole(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(whole)
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...rest } = parseObject(value)
  if (typeof $ref === 'string') return whole(at($ref))
  return Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, whole(one)]))
}

const operations = objectsIn(document['paths']).filter(([, { operationId }]) => operationId)
/** Every schema with an example: bodies, responses, parameters. */
const EXAMPLES = objectsIn({ ...document }).flatMap(([path, { schema, example, examples }]) => {
  if (schema === undefined) return []
  const named = Object.entries(parseObject(whole(examples))).map(
    ([name, one]): [string, unknown, unknown] => [
      `${path}/${name}`,
      schema,
      parseObject(one)['value'],
    ],
  )
  return example === undefined ? named : [[path, schema, example] as const, ...named]
})

describe('the OpenAPI document', () => {
  test('has every operation of the API exactly once', () => {
    const ids = operations.map(([, { operationId }]) => JSON.stringify(operationId))
    expect(ids.toSorted()).toEqual(
      Object.keys(OPERATIONS)
        .map((name) => JSON.stringify(name))
        .toSorted(),
    )
    const served = Object.entries(parseObject(document['paths'])).flatMap(([path, item]) =>
      Object.keys(parseObject(item)).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const declared = Object.values(OPERATIONS).map(
      ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
    )
    expect(served.toSorted()).toEqual(declared.toSorted())
  })

  test('has every type of event', () => {
    expect(Object.keys(parseObject(document['webhooks']))).toEqual([...EVENT_TYPES])
  })

  test('is valid OpenAPI 3.1', () => {
    expect(document['openapi']).toMatch(/^3\.1\.\d+$/)
    expect(document['info']).toMatchObject({ title: 'Sluice', version: expect.any(String) })
    const tags = new Set(objectsIn(document['tags']).map(([, { name }]) => name))
    for (const [path, operation] of operations) {
      const { tags: own, responses, parameters, security, summary } = operation
      expect(tags).toContain(parseObject(own)['0'])
      expect([path, summary]).toEqual([path, expect.stringMatching(/^.{5,}$/)])
      expect(Object.keys(parseObject(responses)).length).toBeGreaterThan(1)
      for (const [, { description, content }] of objectsIn(responses).filter(
        ([, one]) => 'content' in one,
      )) {
        expect([path, description]).toEqual([path, expect.stringMatching(/./)])
        expect(Object.keys(parseObject(content))).toContain('application/json')
      }
      const names = objectsIn(security).flatMap(([, one]) => Object.keys(one))
      const schemes = Object.keys(parseObject(at('#/components/securitySchemes')))
      expect(schemes).toEqual(expect.arrayContaining(names))
      const inPath = objectsIn(parameters).filter(([, one]) => one['in'] === 'path')
      expect(inPath.every(([, { required }]) => required === true)).toBe(true)
    }
  })

  test('declares exactly the parameters of each path', () => {
    for (const [path, item] of Object.entries(parseObject(document['paths']))) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const method of METHODS.filter((one) => one in parseObject(item))) {
        const { parameters } = parseObject(parseObject(item)[method])
        const named = objectsIn(parameters).filter(([, one]) => one['in'] === 'path')
        expect(named.map(([, { name }]) => name)).toEqual(inPath)
      }
    }
  })

  test('has no broken references and no unused schemas', () => {
    const refs = objectsIn(document).flatMap(([, { $ref }]) =>
      typeof $ref === 'string' ? [$ref] : [],
    )
    expect(refs.filter((ref) => at(ref) === undefined)).toEqual([])
    const schemas = Object.keys(parseObject(at('#/components/schemas')))
    expect(schemas.filter((name) => !refs.includes(`#/components/schemas/${name}`))).toEqual([])
  })

  test('describes every parameter, every header and every field', () => {
    const fields = objectsIn(document).flatMap(([path, { properties }]) =>
      path.includes('/allOf/') || path.includes('/example')
        ? []
        : Object.entries(parseObject(properties)).map(
            ([name, one]) => [`${path}/${name}`, parseObject(one)] as const,
          ),
    )
    const parameters = objectsIn(document).filter(([, one]) => 'in' in one && 'schema' in one)
    const silent = [...fields, ...parameters].filter(
      ([path, { description, $ref, items, type, const: fixed, properties }]) =>
        !/\/example/.test(path) &&
        [description, $ref, items, fixed, properties].every((one) => one === undefined) &&
        type !== undefined,
    )
    expect(silent.map(([path]) => path)).toEqual([])
    expect(fields.length).toBeGreaterThan(150)
  })

  test('has an example for every body and every response', () => {
    const bare = objectsIn(document).filter(
      ([path, one]) => path.endsWith('/application/json') && !one['example'] && !one['examples'],
    )
    expect(bare.map(([path]) => path)).toEqual([])
  })

  test('has only examples that its schemas allow', () => {
    const wrong = EXAMPLES.filter(
      ([, schema, example]) => !Schema.Check(parseObject(whole(schema)), example),
    )
    expect(wrong).toEqual([])
    expect(EXAMPLES.length).toBeGreaterThan(300)
  })

  test('is deterministic and reveals no installation', () => {
    expect(JSON.stringify(openApiDocument())).toBe(JSON.stringify(document))
    expect(document['servers']).toEqual([{ url: '.', description: expect.any(String) }])
    expect(JSON.stringify(document)).not.toMatch(/localhost|127\.0\.0\.1|file:|undefined/)
  })
})
