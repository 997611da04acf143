import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { floatWanted } from './float.ts'

const FEE = 100n
const question = {
  settlement: 0n,
  wallet: 10_000n,
  gas: 10_000n,
  missing: 0n,
  fee: FEE,
  topUpFee: 20n,
}

describe('what the gas wallet gives to the settlement account', () => {
  test('W20 a batch of ten fees where there is nothing', () => {
    expect(floatWanted(question)).toBe(1_000n)
  })

  test('W20 nothing while three fees are left', () => {
    expect(floatWanted({ ...question, settlement: 300n, gas: 10_300n })).toBe(0n)
    expect(floatWanted({ ...question, settlement: 299n, gas: 10_299n })).toBe(701n)
  })

  test('A02 fees that were paid out of clients’ coins are given back with the float', () => {
    const owed = { ...question, settlement: 1_000_000n, gas: 9_500n }
    expect(floatWanted(owed)).toBe(1_500n)
  })

  test('A02 what the last withdrawal of coins lacks is given where it is but fees', () => {
    const floated = { ...question, settlement: 5_000n, gas: 10_900n }
    expect(floatWanted({ ...floated, missing: 80n })).toBe(180n)
    expect(floatWanted({ ...floated, missing: 1_001n })).toBe(0n)
  })

  test('W20 never more than the wallet holds, and never less than one fee', () => {
    expect(floatWanted({ ...question, wallet: 500n, gas: 500n })).toBe(480n)
    expect(floatWanted({ ...question, wallet: 119n, gas: 119n })).toBe(0n)
    expect(floatWanted({ ...question, gas: 19n })).toBe(0n)
  })

  test('W20 the wallet is never drained: once given, nothing more is wanted', () => {
    const amounts = fc.bigInt({ min: 0n, max: 100_000n })
    fc.assert(
      fc.property(amounts, amounts, amounts, (settlement, wallet, gas) => {
        const asked = { ...question, settlement, wallet, gas }
        const given = floatWanted(asked)
        expect(given).toBeLessThanOrEqual(wallet)
        if (given < 1_000n) return
        const after = { ...asked, settlement: settlement + given, wallet: wallet - given }
        expect(floatWanted(after)).toBe(0n)
      }),
    )
  })
})
