import { expect, test } from 'vitest'
import { decisionOf } from './decision.ts'

const PROPOSED = { status: 'Proposed', externalUserId: 'anna', proposedBy: 'ann' } as const
const WAITING = { status: 'Waiting', externalUserId: '', proposedBy: '' } as const

test('a second person who names the same end user confirms', () => {
  expect(decisionOf(PROPOSED, { userId: 'anna', callerId: 'bob' })).toBe('confirm')
})

test('an own proposal cannot be confirmed, and another end user is a new proposal', () => {
  expect(decisionOf(PROPOSED, { userId: 'anna', callerId: 'ann' })).toBe('own')
  expect(decisionOf(PROPOSED, { userId: 'carl', callerId: 'ann' })).toBe('propose')
  expect(decisionOf(PROPOSED, { userId: 'carl', callerId: 'bob' })).toBe('propose')
})

test('the first person proposes', () => {
  expect(decisionOf(WAITING, { userId: 'anna', callerId: 'ann' })).toBe('propose')
})
