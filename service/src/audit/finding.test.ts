import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { depositOf } from '../../test/support/sample-deposit.ts'
import { type Comparison, describeFinding, isDifference } from './finding.ts'

const { orgId, chainId, tokenId, address } = depositOf()
const compared = (expected: bigint, found: bigint): Comparison => {
  return { orgId, chainId, tokenId, address, expected, found, height: 9 }
}

describe('a comparison of the ledger with the chain', () => {
  test('reports every difference, in both directions [I2]', () => {
    const amounts = fc.bigInt({ min: 0n, max: 2n ** 256n })
    fc.assert(
      fc.property(amounts, amounts, (expected, found) => {
        expect(isDifference(compared(expected, found))).toBe(expected !== found)
      }),
    )
  })

  test('describes a surplus [E05] and a deficit [E09]', () => {
    const where = `base units of ${tokenId} on ${address} at block 9`
    expect(describeFinding(compared(5n, 12n))).toBe(`surplus of 7 ${where}`)
    expect(describeFinding(compared(12n, 5n))).toBe(`deficit of 7 ${where}`)
  })
})
