import { describe, expect, test } from 'vitest'
import { sweepsIn } from './level.ts'

describe('how many sweeps gas pays for', () => {
  test.each([
    [0n, 10n, 0],
    [-5n, 10n, 0],
    [199n, 10n, 19],
    [200n, 10n, 20],
  ])('W20 %s base units at %s each', (gas, cost, sweeps) => {
    expect(sweepsIn(gas, cost)).toBe(sweeps)
  })
})
