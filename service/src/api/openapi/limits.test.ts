import { OPERATION_NAMES, OPERATIONS, type Operation, type OperationName } from '@sluice/wire'
import type { TSchema } from 'typebox'
import Schema from 'typebox/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answered, type Door, openDoor } from '../../../test/support/door.ts'
import { type JsonSchema, schemaOf } from './schemas.ts'

/** Texts that a schema may allow or forbid. */
const TEXTS = [
  '',
  ' ',
  'x',
  'X',
  '0',
  '-1',
  '1',
  '01',
  '1.5',
  '1e2',
  '0x10',
  'true',
  'TRUE',
  'yes',
  'null',
  'a\u0001',
  'a\u007f',
  'ä€😀',
  'a b',
  '🦊'.repeat(130),
  'a'.repeat(64),
  'a'.repeat(65),
  'a'.repeat(128),
  'a'.repeat(129),
  'a'.repeat(255),
  'a'.repeat(256),
  'a'.repeat(500),
  'a'.repeat(501),
  'a'.repeat(3_000),
  '500',
  '501',
  `0x${'ab'.repeat(32)}`,
  'CD'.repeat(32),
  `0x${'ab'.repeat(31)}`,
  '2026-01-31',
  '2026-01-31T10:00:00Z',
  '2026-01-31 10:00',
  '31.01.2026',
  'eip155:1',
  'eip155:',
  'cosmos:hub',
  'eip155:1/slip44:60',
  'eip155:1/erc721:0x1',
  (2n ** 256n - 1n).toString(),
  `1${'0'.repeat(78)}`,
]

let door: Door
beforeAll(async () => {
  door = await openDoor()
})
afterAll(() => door.close())

interface Field {
  name: OperationName
  part: 'query' | 'params' | 'body'
  key: string
  schema: JsonSchema
}

/** Every field of requests with an API key that has limits beyond its type. */
const FIELDS: Field[] = OPERATION_NAMES.flatMap((name) => {
  const operation: Operation = OPERATIONS[name]
  if (operation.credential !== 'either') return []
  return (['query', 'params', 'body'] as const).flatMap((part) =>
    Object.entries(fieldsOf(operation[part])).map(([key, schema]) => ({
      name,
      part,
      key,
      schema: schemaOf(schema),
    })),
  )
})

function fieldsOf(schema: { properties?: Record<string, TSchema> } = {}): Record<string, TSchema> {
  return schema.properties ?? {}
}

/** The value of a text in a query, by its schema. */
function read({ schema, part }: Field, text: string): unknown {
  if (part === 'body') return text
  if (schema['type'] === 'integer') return /^[+-]?\d/.test(text) ? Number(text) : text
  if (schema['type'] === 'boolean') return text === 'true' || text === 'false' ? text === 'true' : 0
  return text
}

/** Numbers are written without leading zeros or exponents. */
function allows(field: Field, text: string): boolean {
  const isCanonical = field.schema['type'] !== 'integer' || /^(0|[1-9]\d*)$/.test(text)
  return isCanonical && Schema.Check(field.schema, read(field, text))
}

async function send({ name, part, key }: Field, text: string): Promise<Answered> {
  const operation: Operation = OPERATIONS[name]
  const { example } = operation
  const required = fieldsOf(operation.query)
  const query: Record<string, unknown> = Object.fromEntries(
    Object.entries(example.query ?? {}).filter(([one]) => one in required && isNeeded(name, one)),
  )
  const params = { ...example.params }
  const body: Record<string, unknown> = { ...Object(example.body) }
  if (part === 'query') query[key] = text
  if (part === 'params') params[key] = text
  if (part === 'body') body[key] = text
  const path = operation.path.replaceAll(/:(\w+)/g, (_all, one: string) =>
    encodeURIComponent(params[one] ?? ''),
  )
  const search = Object.entries(query).map(
    ([one, value]) => `${one}=${encodeURIComponent(String(value))}`,
  )
  return door.ask(`${path}?${search.join('&')}`, {
    method: operation.method,
    ...(example.body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
}

function isNeeded(name: OperationName, key: string): boolean {
  const { query }: Operation = OPERATIONS[name]
  const { required = [] }: { required?: readonly string[] } = query ?? {}
  return required.includes(key)
}

describe('the schemas of the document match the server', () => {
  test.each(FIELDS)('$name, $part: $key [V06]', async (field) => {
    for (const text of TEXTS) {
      const { status, json } = await send(field, text)
      const told = { text: text.slice(0, 40), status, json }
      expect([told, status < 500]).toEqual([told, true])
      if (!allows(field, text)) expect(told).toMatchObject({ status: expect.toSatisfy(isRefusal) })
      else expect([told, isAbout(field, json)]).toEqual([told, false])
    }
  })
})

function isRefusal(status: number): boolean {
  return status >= 400
}

/** Whether a refusal concerns the shape of this field, not an unknown id. */
function isAbout({ key, schema }: Field, { error, details }: Record<string, unknown>): boolean {
  const isNamed = Object(details)['field'] === key && error === 'BAD_REQUEST'
  const isUser = error === 'INVALID_USER_ID' && /userId/i.test(key)
  const isAmount = error === 'INVALID_AMOUNT' && key === 'amount'
  // A pattern cannot know whether the chain, token or address exists.
  const isOpen = ['chainId', 'tokenId', 'address', 'recipient', 'from', 'to', 'cursor'].includes(
    key,
  )
  return (isNamed || isUser || isAmount) && !(isOpen && schema['enum'] === undefined)
}
