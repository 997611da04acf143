import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseExactJson } from './exact-json.ts'

test('numbers come as they are written, however large or fine', () => {
  const text = '{"a": 18446744073709551615, "b": [0.00000001, -1.50, 1e-8], "c": "7 \\" 8"}'
  expect(parseExactJson(text)).toEqual({
    a: '18446744073709551615',
    b: ['0.00000001', '-1.50', '1e-8'],
    c: '7 " 8',
  })
})

test('a text without numbers is what JSON.parse says', () => {
  const values = fc.letrec((tie) => ({
    value: fc.oneof(fc.string(), fc.boolean(), fc.constant(null), tie('list'), tie('record')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    record: fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
  })).value
  fc.assert(
    fc.property(values, (value) => {
      const text = JSON.stringify(value)
      expect(parseExactJson(text)).toEqual(JSON.parse(text))
    }),
  )
})

test('numbers among all else are the texts that JSON writes for them', () => {
  const values = fc.jsonValue({ maxDepth: 2 })
  fc.assert(
    fc.property(values, fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      const expected = JSON.parse(text, (_key, one: unknown) =>
        typeof one === 'number' ? JSON.stringify(one) : one,
      )
      expect(parseExactJson(text)).toEqual(expected)
    }),
  )
})

test('invalid JSON is refused', () => {
  for (const text of ['', '{', '{"a": 1', '[1,]', '01x', '[-]', '"1', '[1 2]', '[1"2"]']) {
    expect(() => parseExactJson(text)).toThrow(SyntaxError)
  }
})
