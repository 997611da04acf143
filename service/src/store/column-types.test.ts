import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Bug } from '../base/assert.ts'
import { columnTypes } from './column-types.ts'

const NUMERIC = 1700
const NUMERICS = 1231
const INT8 = 20
const TIMESTAMPTZ = 1184

const read = (oid: number, text: string) => columnTypes.getTypeParser(oid, 'text')(text)

test('whole numbers of any size survive the way from the database', () => {
  fc.assert(
    fc.property(fc.bigInt(), (value) => {
      expect(read(NUMERIC, String(value))).toBe(value)
    }),
  )
})

test('so do lists of them, with gaps', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.bigInt())), (values) => {
      const text = `{${values.map((value) => value ?? 'NULL').join(',')}}`
      expect(read(NUMERICS, text)).toEqual(values)
    }),
  )
})

test('a count is a number exactly as long as a number can hold it', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
      if (BigInt.asIntN(54, value) === value && value !== -(2n ** 53n))
        expect(read(INT8, String(value))).toBe(Number(value))
      else expect(() => read(INT8, String(value))).toThrow(Bug)
    }),
  )
})

test('a time is the same moment in whichever zone the server writes it', () => {
  const at = Date.parse('2026-01-01T00:00:00.123Z')
  expect(read(TIMESTAMPTZ, '2026-01-01 00:00:00.123+00')).toBe(at)
  expect(read(TIMESTAMPTZ, '2026-01-01 05:30:00.123+05:30')).toBe(at)
  expect(read(TIMESTAMPTZ, '2025-12-31 19:00:00.123-05')).toBe(at)
})

test.each(['1.5', 'NaN', 'Infinity', '', '1e5'])('%s is no money', (text) => {
  expect(() => read(NUMERIC, text)).toThrow(Bug)
})
