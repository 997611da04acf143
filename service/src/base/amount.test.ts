import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AMOUNT_MAX, parseAmount, sum, toAmount } from './amount.ts'
import { Bug } from './assert.ts'
import { Refusal } from './fault.ts'

/** V01: what looks like a number somewhere, and is none here. */
const WRONG = [
  '',
  '0',
  '00',
  '01',
  '-0',
  '-1',
  '+1',
  '1.0',
  '1.',
  '.5',
  '1e18',
  '1E3',
  '0x10',
  '0b1',
  '0o7',
  ' 1',
  '1 ',
  '1\n',
  '\t1',
  '1_000',
  '1,000',
  '1 000',
  '١٢',
  '１',
  '1\u0000',
  'Infinity',
  'NaN',
  'null',
  'true',
  '[]',
  '{}',
  '1n',
  '½',
  '1/2',
  '1'.repeat(79),
  '9'.repeat(78),
  '9'.repeat(4000),
  (AMOUNT_MAX + 1n).toString(),
]

describe('amounts', () => {
  test.each(WRONG)('V01 %j is refused with INVALID_AMOUNT', (text) => {
    expect(() => parseAmount(text)).toThrow(Refusal)
    try {
      parseAmount(text)
    } catch (error) {
      expect(error).toMatchObject({ code: 'INVALID_AMOUNT' })
    }
  })

  test('parseAmount accepts every integer from 1 to 2^256-1 [V01]', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: AMOUNT_MAX }), (value) => {
        expect(parseAmount(value.toString())).toBe(value)
      }),
    )
    expect(parseAmount(AMOUNT_MAX.toString())).toBe(AMOUNT_MAX)
  })

  test('toAmount rejects counts beyond 2^256-1', () => {
    expect(toAmount(0n)).toBe(0n)
    expect(() => toAmount(-1n)).toThrow(Bug)
    expect(() => toAmount(AMOUNT_MAX + 1n)).toThrow(Bug)
  })

  test('sum is exact beyond 2^256-1', () => {
    expect(sum([AMOUNT_MAX, AMOUNT_MAX])).toBe(2n * AMOUNT_MAX)
    expect(sum([])).toBe(0n)
  })
})
