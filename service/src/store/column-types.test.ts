import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Bug } from '../base/assert.ts'
import { columnTypes } from './column-types.ts'

const NUMERIC = 1700
const NUMERICS = 1231
const INT8 = 20
const TIMESTAMPTZ = 1184

const read = (oid: number, text: string) => columnTypes.getTypeParser(oid, 'text')(text)

test('integers of any size are parsed exactly', () => {
  fc.assert(
    fc.property(fc.bigInt(), (value) => {
      expect(read(NUMERIC, String(value))).toBe(value)
    }),
  )
})

test('lists of integers are parsed exactly, with nulls', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.bigInt())), (values) => {
      const text = `{${values.map((value) => value ?? 'NULL').join(',')}}`
      expect(read(NUMERICS, text)).toEqual(values)
    }),
  )
})

test('an int8 must be a safe integer', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
      if (BigInt.asIntN(54, value) === value && value !== -(2n ** 53n))
        expect(read(INT8, String(value))).toBe(Number(value))
      else expect(() => read(INT8, String(value))).toThrow(Bug)
    }),
  )
})

test('a timestamp is parsed in any time zone of the server', () => {
  const at = Date.parse('2026-01-01T00:00:00.123Z')
  expect(read(TIMESTAMPTZ, '2026-01-01 00:00:00.123+00')).toBe(at)
  expect(read(TIMESTAMPTZ, '2026-01-01 05:30:00.123+05:30')).toBe(at)
  expect(read(TIMESTAMPTZ, '2025-12-31 19:00:00.123-05')).toBe(at)
})

test.each(['1.5', 'NaN', 'Infinity', '', '1e5'])('%s is not an amount', (text) => {
  expect(() => read(NUMERIC, text)).toThrow(Bug)
})
