import { toBaseUnits } from '@sluice/client'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatAmount, formatUnits, sumOf, thousandths } from './amounts.ts'

test('a formatted amount is the exact amount for 0 to 30 decimals', () => {
  const anyUnits = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
  fc.assert(
    fc.property(anyUnits, fc.integer({ min: 0, max: 30 }), (units, decimals) => {
      const shown = formatUnits(units.toString(), decimals)
      expect(toBaseUnits(shown.replaceAll(',', ''), decimals)).toBe(units.toString())
    }),
  )
})

test.each([
  ['1250000000', 6, '1,250.00'],
  ['1', 18, '0.000000000000000001'],
  ['100000000', 8, '1.00'],
  ['123456789', 0, '123,456,789'],
  ['-1500000', 6, '-1.50'],
  ['5000000000000000000', 18, '5'],
])('%s base units of %i decimals are %s', (units, decimals, shown) => {
  expect(formatUnits(units, decimals)).toBe(shown)
})

test('an amount ends with its symbol', () => {
  expect(formatAmount('25000000', { symbol: 'USDT', decimals: 6 })).toBe('25.00 USDT')
})

test('sums and shares are exact beyond 2^53', () => {
  const large = (2n ** 90n).toString()
  expect(sumOf([large, '1'])).toBe((2n ** 90n + 1n).toString())
  expect(thousandths(large, (2n ** 91n).toString())).toBe(500)
  expect(thousandths('1', '0')).toBe(0)
})
