import type { User } from '@sluice/client'
import { expect, test } from 'vitest'
import { countSigners, isLastAdmin, standingOf } from './standing.ts'

const NOW = Date.parse('2026-02-01T00:00:00Z')
const ANN: User = {
  id: '019ab4ee-0000-7000-8000-000000000001',
  username: 'ann',
  role: 'admin',
  status: 'active',
  enrolled: true,
  invitationExpiresAt: null,
  lastLoginAt: null,
  tampered: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
}
const BOB: User = { ...ANN, id: '019ab4ee-0000-7000-8000-000000000002', username: 'bob' }
const invited = { status: 'invited', enrolled: false } as const

test.each([
  ['active', {}],
  ['tampered', { tampered: true, status: 'disabled' }],
  ['disabled', { status: 'disabled' }],
  ['invited', { ...invited, invitationExpiresAt: '2026-02-02T00:00:00Z' }],
  ['expired', { ...invited, invitationExpiresAt: '2026-01-31T00:00:00Z' }],
  ['withdrawn', invited],
  ['reset', { enrolled: false }],
] as const)('a person is %s with %j', (standing, change) => {
  expect(standingOf({ ...ANN, ...change }, NOW)).toBe(standing)
})

test('the last admin is the only one who can sign in', () => {
  expect(isLastAdmin(ANN, [ANN])).toBe(true)
  expect(isLastAdmin(ANN, [ANN, BOB])).toBe(false)
  expect(isLastAdmin(ANN, [ANN, { ...BOB, status: 'disabled' }])).toBe(true)
  expect(isLastAdmin(ANN, [ANN, { ...BOB, enrolled: false }])).toBe(true)
  expect(isLastAdmin({ ...ANN, role: 'viewer' }, [ANN])).toBe(false)
})

test('only active approvers and admins whose row is authentic can approve', () => {
  const others: User[] = [
    { ...BOB, role: 'approver' },
    { ...BOB, role: 'operator' },
    { ...BOB, role: 'approver', status: 'disabled' },
    { ...BOB, role: 'approver', tampered: true },
  ]
  expect(countSigners([ANN, ...others])).toBe(2)
})
