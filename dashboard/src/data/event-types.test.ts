import { expect, test } from 'vitest'
import { EVENT_TYPES, filterText, typeName } from './event-types.ts'

test.each([
  [null, 'All events'],
  [['withdrawal.failed'], 'Withdrawal failed'],
  [['gas.low', 'chain.frozen'], 'Gas low, Chain frozen'],
  [
    ['deposit.detected', 'deposit.confirmed', 'deposit.reverted', 'deposit.held', 'gas.low'],
    'All deposit events, Gas low',
  ],
  [
    ['deposit.detected', 'deposit.confirmed', 'gas.low', 'chain.frozen'],
    'Deposit detected, Deposit confirmed and 2 more',
  ],
  [['moon.landed'], 'moon.landed'],
])('the filter %j in words', (types, words) => {
  expect(filterText(types)).toBe(words)
})

test('every type has a name of its own', () => {
  const names = EVENT_TYPES.map(typeName)
  expect(new Set(names).size).toBe(EVENT_TYPES.length)
  expect(names).not.toContain('')
})
