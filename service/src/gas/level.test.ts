import { describe, expect, test } from 'vitest'
import { sweepsIn } from './level.ts'

describe('sweepsIn', () => {
  test.each([
    [0n, 10n, 0],
    [-5n, 10n, 0],
    [199n, 10n, 19],
    [200n, 10n, 20],
  ])('%s base units at %s each [W20]', (gas, cost, sweeps) => {
    expect(sweepsIn(gas, cost)).toBe(sweeps)
  })
})
