import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../samples/blocks.ts'
import { HAS_PYTHON, NO_PYTHON, python } from '../samples/python.ts'
import { type ClientDocument, generatePython } from './generate.ts'
import { pascalCase, snakeCase } from './names.ts'

const json = (schema: object) => ({ 'application/json': { schema } })
const parameter = (name: string, place: string, schema: object, more: object = {}) => ({
  name,
  in: place,
  required: place === 'path',
  description: `The ${name}.`,
  schema,
  ...more,
})
const operation = (operationId: string, more: object) => ({
  operationId,
  tags: [],
  summary: 'Does it',
  description: 'With a \\ and """quotes""".',
  security: [{ apiKey: [] }],
  parameters: [],
  'x-codeSamples': [],
  ...more,
})
const text = { type: 'string' }
const refused = (status: number, codes: string[]) => ({
  [status]: {
    content: json({
      allOf: [
        { $ref: '#/components/schemas/Error' },
        { properties: { error: { enum: codes }, statusCode: { const: status } } },
      ],
    }),
  },
})
const ITEMS = {
  type: 'object',
  required: ['items'],
  properties: {
    items: { type: 'array', items: { $ref: '#/components/schemas/Item' } },
    nextCursor: { type: ['string', 'null'] },
  },
}

/** Every shape that the interface can get with further operations. */
const DOCUMENT = {
  paths: {
    '/items': {
      get: operation('getItems', {
        parameters: [
          parameter('status', 'query', { type: 'array', items: text }, { explode: false }),
          parameter('kind', 'query', { type: 'array', items: text }),
          parameter('from', 'query', { ...text, pattern: String.raw`^\d{4}-\d{2}-\d{2}$` }),
          parameter('limit', 'query', { type: 'integer', maximum: 50 }),
          parameter('cursor', 'query', text),
        ],
        responses: {
          200: {
            content: {
              ...json(ITEMS),
              'text/csv': { schema: text },
              'application/x-ndjson': { schema: text },
            },
          },
          ...refused(422, ['INVALID_THING', 'OTHER']),
        },
      }),
    },
    '/items/{id}': {
      put: operation('putItem', {
        parameters: [parameter('id', 'path', text), parameter('x-totp-code', 'header', text)],
        requestBody: {
          required: true,
          content: json({
            type: 'object',
            required: ['id', 'class'],
            properties: {
              id: text,
              class: text,
              note: { anyOf: [text, { type: 'null' }] },
              size: { type: 'integer' },
            },
          }),
        },
        responses: { 200: { content: json({ type: 'object' }) } },
      }),
    },
    '/statement': {
      get: operation('getStatement', {
        security: [],
        responses: { 200: { content: { 'application/pdf': { schema: text } } } },
      }),
    },
    '/list': {
      post: operation('postList', {
        requestBody: { required: true, content: json({ type: 'array', items: text }) },
        responses: { 201: { content: json({ $ref: '#/components/schemas/Kind' }) } },
      }),
    },
  },
  webhooks: {
    'item.made': {
      post: {
        requestBody: {
          content: json({
            type: 'object',
            required: ['type', 'payload'],
            properties: {
              type: { const: 'item.made' },
              payload: { $ref: '#/components/schemas/Item' },
            },
          }),
        },
      },
    },
  },
  components: {
    schemas: {
      Error: { properties: { error: { enum: ['INVALID_THING', 'OTHER'] } } },
      Kind: { enum: ['big', 'small', null] },
      Download: { type: 'object', properties: { url: text } },
      Base: { type: 'object', required: ['id'], properties: { id: text } },
      Item: {
        allOf: [
          { $ref: '#/components/schemas/Base' },
          {
            type: 'object',
            required: ['from'],
            properties: {
              from: { $ref: '#/components/schemas/Kind' },
              ratio: { type: 'number' },
              inner: { type: 'object', properties: { a: { const: true } } },
              labels: { type: 'object', additionalProperties: text },
            },
          },
        ],
      },
    },
  },
} as unknown as ClientDocument

/** Records the input of each call in place of sending it. */
const PROGRAM = `
import json, sys, typing
from datetime import datetime, timezone
import sluice._generated as made
from sluice._request import Unset

class Recorder(made.GeneratedClient):
    def _record(self, *words, **parts):
        sent = {
            part: {k: v for k, v in values.items() if not isinstance(v, Unset)}
            if isinstance(values, dict) else values
            for part, values in parts.items()
        }
        return [*words, sent]
    _call = _download = _each = _record

client = Recorder()
hints = typing.get_type_hints(made.Item)
print(json.dumps({
    "methods": sorted(name for name in dir(client) if not name.startswith("_")),
    "calls": [
        client.get_items(status=["a", "b"], kind=["a", "b"], from_="2026-01-01", limit=None),
        client.iter_items(status=["a"]),
        client.get_items_csv(limit=5),
        client.get_items_ndjson(),
        client.put_item(id="x", body_id="y", class_="z", totp_code="123456"),
        client.put_item(id="x", body_id="y", class_="z", note=None, size=None),
        client.get_statement(),
        client.post_list(body=["a"]),
    ],
    "fields": sorted(hints),
    "download": made.Download.__module__,
    "required": sorted(made.Item.__required_keys__),
    "doc": client.get_items.__doc__,
    "operations": [
        [one.name, one.method, one.has_credential, one.is_repeatable]
        for one in made.OPERATIONS.values()
    ],
}))
`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-python-'))
  cpSync(join(ROOT, 'client-python', 'src', 'sluice'), join(folder, 'sluice'), { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the generator of the Python client', () => {
  test('writes the same module every time, within 100 columns', () => {
    const module = generatePython(DOCUMENT, () => true)
    expect(generatePython(DOCUMENT, () => true)).toBe(module)
    expect(module.split('\n').filter((line) => line.length > 100)).toEqual([])
    expect(module).not.toMatch(/from .* import.*\bMapping\b.*Mapping/)
  })

  test('refuses a reference to a missing schema', () => {
    const schemas = { A: { type: 'object', properties: { b: { $ref: '#/components/schemas/B' } } } }
    const document = { ...DOCUMENT, components: { schemas } }
    expect(() => generatePython(document, () => true)).toThrow('the document has no schema')
  })

  test.each([
    ['externalUserId', 'external_user_id', 'ExternalUserId'],
    ['x-totp-code', 'x_totp_code', 'XTotpCode'],
    ['from', 'from_', 'From'],
    ['postURLList', 'post_url_list', 'PostURLList'],
    ['2fa', '_2fa', '2fa'],
  ])('names %s as Python does', (name, snake, pascal) => {
    expect([snakeCase(name), pascalCase(name)]).toEqual([snake, pascal])
  })

  test.skipIf(!HAS_PYTHON)(`writes a module for every shape of operation${NO_PYTHON}`, () => {
    writeFileSync(
      join(folder, 'sluice', '_generated.py'),
      generatePython(DOCUMENT, ({ method }) => method === 'GET'),
    )
    // `webhook.py` and `__init__.py` import nothing that this document lacks.
    const { status, output } = python(['-W', 'error', '-c', PROGRAM], { PYTHONPATH: folder })
    expect({ status, output }).toMatchObject({ status: 0 })
    const made: Record<string, unknown> = JSON.parse(output)
    expect(made['methods']).toEqual([
      'get_items',
      'get_items_csv',
      'get_items_ndjson',
      'get_statement',
      'iter_items',
      'post_list',
      'put_item',
    ])
    const put = { id: 'y', class: 'z' }
    const path = { id: 'x' }
    expect(made['calls']).toEqual([
      ['getItems', { query: { status: 'a,b', kind: ['a', 'b'], from: '2026-01-01' } }],
      ['getItems', 'items', 50, { query: { status: 'a' } }],
      ['getItems', 'text/csv', { query: { limit: 5 } }],
      ['getItems', 'application/x-ndjson', { query: {} }],
      ['putItem', { path, body: put, headers: { 'x-totp-code': '123456' } }],
      ['putItem', { path, body: { ...put, note: null }, headers: {} }],
      ['getStatement', 'application/pdf', {}],
      ['postList', { body: ['a'] }],
    ])
    expect(made['fields']).toEqual(['from', 'id', 'inner', 'labels', 'ratio'])
    expect(made['download']).toBe('sluice._http')
    expect(made['required']).toEqual(['from', 'id'])
    expect(made['doc']).toContain('With a \\ and """quotes""".')
    expect(made['doc']).toContain('422: INVALID_THING, OTHER')
    expect(made['operations']).toEqual([
      ['getItems', 'GET', true, true],
      ['putItem', 'PUT', true, false],
      ['getStatement', 'GET', false, false],
      ['postList', 'POST', true, false],
    ])
  })
})
