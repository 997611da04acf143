import { describe, expect, test } from 'vitest'
import { isOwnTraffic } from './spend.ts'

describe('own traffic', () => {
  test.each(['sweep', 'top-up', 'filler', 'consolidation'] as const)(
    'I16 what we move for ourselves is no deposit: %s',
    (purpose) => {
      expect(isOwnTraffic({ purpose })).toBe(true)
    },
  )

  test('I16 a withdrawal that pays a deposit address is a deposit there', () => {
    expect(isOwnTraffic({ purpose: 'withdrawal' })).toBe(false)
  })

  test('I16 a transaction we did not sign is not ours', () => {
    expect(isOwnTraffic(undefined)).toBe(false)
  })
})
