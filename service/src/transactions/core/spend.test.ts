import { describe, expect, test } from 'vitest'
import { isOwnTraffic } from './spend.ts'

describe('own traffic', () => {
  test.each(['sweep', 'top-up', 'filler', 'consolidation'] as const)(
    'a spend for our own purposes is not a deposit: %s [I16]',
    (purpose) => {
      expect(isOwnTraffic({ purpose })).toBe(true)
    },
  )

  test('a withdrawal to a deposit address is a deposit [I16]', () => {
    expect(isOwnTraffic({ purpose: 'withdrawal' })).toBe(false)
  })

  test('a transaction that we did not sign is not ours [I16]', () => {
    expect(isOwnTraffic(undefined)).toBe(false)
  })
})
