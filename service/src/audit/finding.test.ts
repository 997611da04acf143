import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { depositOf } from '../../test/support/sample-deposit.ts'
import { type Comparison, describeFinding, isDifference } from './finding.ts'

const { orgId, chainId, tokenId, address } = depositOf()
const compared = (expected: bigint, found: bigint): Comparison => {
  return { orgId, chainId, tokenId, address, expected, found, height: 9 }
}

describe('a comparison of the ledger with the chain', () => {
  test('I2 tolerates no difference, in neither direction', () => {
    const amounts = fc.bigInt({ min: 0n, max: 2n ** 256n })
    fc.assert(
      fc.property(amounts, amounts, (expected, found) => {
        expect(isDifference(compared(expected, found))).toBe(expected !== found)
      }),
    )
  })

  test('E05 names what is too much, E09 what is missing', () => {
    const where = `base units of ${tokenId} on ${address} at block 9`
    expect(describeFinding(compared(5n, 12n))).toBe(`surplus of 7 ${where}`)
    expect(describeFinding(compared(12n, 5n))).toBe(`deficit of 7 ${where}`)
  })
})
