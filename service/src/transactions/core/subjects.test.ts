import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sum } from '../../base/amount.ts'
import { divideFee } from './subjects.ts'

test('the parts of a fee add up to it, and the first takes the remainder', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 12n }),
      fc.integer({ min: 1, max: 100 }),
      (fee, count) => {
        const [first = 0n, ...others] = divideFee(fee, count)
        expect(first + sum(others)).toBe(fee)
        expect(others).toHaveLength(count - 1)
        for (const part of others) expect(part).toBe(fee / BigInt(count))
        expect(first).toBe(fee / BigInt(count) + (fee % BigInt(count)))
      },
    ),
  )
})
