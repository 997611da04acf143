import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../base/fault.ts'
import { parseBody } from './parse-body.ts'

const BAD: readonly (readonly [name: string, body: string | Uint8Array])[] = [
  ['no value', ' '],
  ['half an object', '{"a":1'],
  ['a bracket too many', '{"a":1}}'],
  ['two values', '{} {}'],
  ['a comma too many', '{"a":1,}'],
  ['a comment', '{"a":1/* one */}'],
  ['single quotes', "{'a':1}"],
  ['a bare key', '{a:1}'],
  ['a bare word', '{"a":undefined}'],
  ['NaN', '{"a":NaN}'],
  ['Infinity', '{"a":Infinity}'],
  ['a hexadecimal number', '{"a":0x10}'],
  ['a leading zero', '{"a":01}'],
  ['a line end in a string', '{"a":"\n"}'],
  ['a NUL in a string', '{"a":"\u0000"}'],
  ['a bad escape', '{"a":"\\x41"}'],
  ['a form', 'a=1&b=2'],
  ['XML', '<a>1</a>'],
  ['a byte order mark', '\uFEFF{"a":1}'],
  ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
  ['invalid UTF-8', Uint8Array.of(0x22, 0xff, 0xfe, 0x22)],
  ['an overlong encoding', Uint8Array.of(0x22, 0xc0, 0xaf, 0x22)],
  ['a surrogate in UTF-8', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)],
  ['a string cut in the middle of a letter', Uint8Array.of(0x22, 0xe2, 0x82, 0x22)],
  ['a key twice', '{"amount":"1","amount":"999"}'],
  ['a key twice, once escaped', '{"amount":"1","\\u0061mount":"999"}'],
  ['a key twice, further in', '{"a":[{"b":1,"c":{},"b":2}]}'],
  ['an empty key twice', '{"":1,"":2}'],
  ['a key twice around an object', '{"a":{"a":1},"a":2}'],
  ['a prototype', '{"__proto__":{"admin":true}}'],
  ['an escaped prototype', '{"\\u005f_proto__":{"admin":true}}'],
  ['a constructor', '{"constructor":{"prototype":{"admin":true}}}'],
  ['a prototype further in', '{"a":{"b":[{"__proto__":null}]}}'],
  ['33 lists', `${'['.repeat(33)}${']'.repeat(33)}`],
  ['33 objects', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`],
  ['10,000 lists', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
  ['10,000 lists that never end', '['.repeat(10_000)],
]

const GOOD: readonly (readonly [name: string, body: string])[] = [
  ['an object', '{"a":1}'],
  ['the same key in two objects', '{"a":{"k":1},"b":{"k":2}}'],
  ['the same key below itself', '{"a":{"a":{"a":1}}}'],
  ['keys that look like structure', '{"{":1,"}":2,"[":3,":":4,"\\"":5}'],
  ['a value that looks like a key', '["a",{"a":"a"}]'],
  ['a value named as a prototype', '{"a":"__proto__"}'],
  ['32 lists', `${'['.repeat(32)}${']'.repeat(32)}`],
  ['brackets in a string', `{"a":"${'['.repeat(100)}"}`],
  ['a backslash before a quote', '{"a\\\\":"\\\\","b":"\\\\\\""}'],
  ['white space everywhere', ' \r\n\t{ "a" : [ 1 , 2 ] } \n'],
  ['a text alone', '"a"'],
  ['null', 'null'],
  ['an emoji', '{"a":"\u{1F600}"}'],
]

describe('a body', () => {
  test.each(BAD)('is refused with BAD_REQUEST: %s [V08]', (_name, body) => {
    expect(refusalOf(() => parseBody(bytesOf(body)))).toMatchObject({
      code: 'BAD_REQUEST',
      details: { field: 'body' },
    })
  })

  test.each(GOOD)('is accepted: %s [V08]', (_name, body) => {
    expect(parseBody(bytesOf(body))).toEqual(JSON.parse(body))
  })

  test('is undefined when empty, so it differs from null [V08]', () => {
    expect(parseBody(new Uint8Array())).toBeUndefined()
  })

  test('of any serialized value is parsed to that value [V08]', () => {
    const keys = fc.string({ maxLength: 8 }).filter((key) => !REFUSED.has(key))
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small', maxDepth: 5 },
        fc.string(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(keys, tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }))
    fc.assert(
      fc.property(value, (given) => {
        const text = JSON.stringify(given)
        expect(JSON.stringify(parseBody(bytesOf(text)))).toBe(text)
      }),
    )
  })

  test('of any bytes is parsed or refused [V08]', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const refusal = refusalOf(() => parseBody(bytes))
        expect(['BAD_REQUEST', undefined]).toContain(refusal?.code)
      }),
    )
  })
})

const REFUSED = new Set(['__proto__', 'constructor', 'prototype'])

function bytesOf(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? new TextEncoder().encode(body) : body
}

function refusalOf(work: () => unknown): Refusal | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
