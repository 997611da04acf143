import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toBaseUnits, toDecimal } from './amounts.ts'

const decimals = fc.integer({ min: 0, max: 36 })
const units = fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n })

/** A decimal number read by hand: the digits as a fraction of two whole numbers. */
function asFraction(text: string): { over: bigint; under: bigint } {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const over = BigInt(whole + fraction) * (text.startsWith('-') ? -1n : 1n)
  return { over, under: 10n ** BigInt(fraction.length) }
}

describe('amounts', () => {
  test.each([
    ['0', 6, '0'],
    ['1', 6, '0.000001'],
    ['1500000', 6, '1.5'],
    ['25000000', 6, '25'],
    ['-25', 6, '-0.000025'],
    ['1000000000000000000', 18, '1'],
    ['1', 0, '1'],
    ['-0', 2, '0'],
    ['007', 2, '0.07'],
  ])('%s base units at %i decimals are %s', (baseUnits, places, decimal) => {
    expect(toDecimal(baseUnits, places)).toBe(decimal)
  })

  test.each([
    ['1.5', 6, '1500000'],
    ['1.500', 2, '150'],
    ['0.1', 18, '100000000000000000'],
    ['-0.5', 1, '-5'],
    ['0', 8, '0'],
    ['007.10', 2, '710'],
    ['5', 0, '5'],
  ])('%s at %i decimals is %s base units', (decimal, places, baseUnits) => {
    expect(toBaseUnits(decimal, places)).toBe(baseUnits)
  })

  test('any amount survives a conversion in both directions, from text or bigint', () => {
    fc.assert(
      fc.property(units, decimals, (amount, places) => {
        const decimal = toDecimal(amount, places)
        expect(toDecimal(amount.toString(), places)).toBe(decimal)
        expect(toBaseUnits(decimal, places)).toBe(amount.toString())
        expect(decimal).toMatch(/^-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/)
      }),
      { numRuns: 2_000 },
    )
  })

  test('a decimal number and its base units are the same quantity', () => {
    fc.assert(
      fc.property(units, decimals, (amount, places) => {
        const { over, under } = asFraction(toDecimal(amount, places))
        expect(over * 10n ** BigInt(places)).toBe(amount * under)
      }),
    )
  })

  test('an amount with more decimals than the token has is refused', () => {
    const digits = fc.stringMatching(/^[0-9]{0,20}[1-9]$/)
    fc.assert(
      fc.property(fc.nat(), digits, (whole, fraction) => {
        const text = `${whole}.${fraction}`
        expect(() => toBaseUnits(text, fraction.length - 1)).toThrow(RangeError)
        expect(toBaseUnits(text, fraction.length)).toBe(BigInt(`${whole}${fraction}`).toString())
      }),
    )
  })

  test.each([
    '',
    ' ',
    '.',
    '.5',
    '5.',
    '1.2.3',
    '1,5',
    '1 000',
    ' 1',
    '1\n',
    '+1',
    '--1',
    '1e6',
    '0x10',
    'NaN',
    'Infinity',
    '١',
    '1_000',
    '1'.repeat(401),
  ])('%j is refused as a decimal number', (text) => {
    expect(() => toBaseUnits(text, 6)).toThrow(RangeError)
  })

  test.each(['', '1.5', '1e6', ' 1', '0x10', '1n', '1'.repeat(401)])(
    '%j is no count of base units',
    (text) => {
      expect(() => toDecimal(text, 6)).toThrow(RangeError)
    },
  )

  test.each([-1, 1.5, 256, Number.NaN, Number.POSITIVE_INFINITY])(
    'a token cannot have %d decimals',
    (places) => {
      expect(() => toDecimal('1', places)).toThrow(RangeError)
      expect(() => toBaseUnits('1', places)).toThrow(RangeError)
    },
  )

  test('a number is refused at run time', () => {
    const call = (convert: (...parts: never[]) => string, ...parts: unknown[]) =>
      Reflect.apply(convert, null, parts)
    expect(() => call(toBaseUnits, 1.5, 6)).toThrow(TypeError)
    expect(() => call(toDecimal, 1_500_000, 6)).toThrow(TypeError)
    expect(() => call(toDecimal, null, 6)).toThrow(TypeError)
  })
})
