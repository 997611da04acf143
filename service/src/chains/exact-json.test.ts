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

test('what is no JSON is refused', () => {
  for (const text of ['', '{', '{"a": 1', '[1,]', '01x']) {
    expect(() => parseExactJson(text)).toThrow(SyntaxError)
  }
})
