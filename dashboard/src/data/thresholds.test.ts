import { expect, test } from 'vitest'
import { defaultHumans, othersNeeded } from './thresholds.ts'

test.each([
  [1, 0, { ofPerson: 0, ofApiKey: 0 }],
  [1, 1, { ofPerson: 0, ofApiKey: 1 }],
  [2, 0, { ofPerson: 1, ofApiKey: 1 }],
  [2, 2, { ofPerson: 1, ofApiKey: 2 }],
  [1, 3, { ofPerson: 2, ofApiKey: 3 }],
])('%i approvals, %i of people, need approvals of others', (signers, humans, others) => {
  expect(othersNeeded({ signers, humans })).toEqual(others)
})

test('by default all approvals come from people if more than one is needed', () => {
  expect(defaultHumans(1, 5)).toBe(0)
  expect(defaultHumans(3, 5)).toBe(3)
  expect(defaultHumans(3, 2)).toBe(2)
})
