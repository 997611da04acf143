import { describe, expect, test } from 'vitest'
import { idsIn, lastDecision, progressOf, standingOf, sumsOf } from './standing.ts'

const KEY = 'key'
const PEOPLE = new Map([
  ['ann', 'ann'],
  ['bob', 'bob'],
])
const pending = { status: 'PendingApproval', initiator: 'ann', approvers: ['ann'] } as const
const person = (id: string, ...permissions: string[]) => ({ id, permissions })

describe('the options of a person', () => {
  test.each([
    ['bob', 'mayApprove'],
    ['ann', 'initiator'],
  ])('%s: %s', (id, standing) => {
    const { status, initiator, approvers } = pending
    const withdrawal = { status, initiator, approvers: [...approvers] }
    expect(standingOf(withdrawal, person(id, 'approveWithdrawals'))).toBe(standing)
  })

  test('an approval is not offered a second time, too late, or without the permission', () => {
    const approved = { ...pending, approvers: ['ann', 'bob'] }
    expect(standingOf(approved, person('bob', 'approveWithdrawals'))).toBe('approved')
    expect(standingOf(approved, person('eve', 'read'))).toBe('notAllowed')
    expect(standingOf(approved, undefined)).toBe('notAllowed')
    const over = { ...approved, status: 'Pending' as const }
    expect(standingOf(over, person('eve', 'approveWithdrawals'))).toBe('over')
  })

  test('an initiator whose approval is void is not offered one', () => {
    const voided = { ...pending, approvers: [] }
    expect(standingOf(voided, person('ann', 'approveWithdrawals'))).toBe('initiator')
  })
})

describe('the approvals so far', () => {
  test.each([
    [['ann'], 2, 2, { given: 1, needed: 2 }],
    [[KEY], 2, 2, { given: 1, needed: 3 }],
    [[KEY, 'ann'], 2, 2, { given: 2, needed: 3 }],
    [[KEY, 'ann', 'bob'], 2, 2, { given: 3, needed: 3 }],
    [['ann'], 1, 0, { given: 1, needed: 1 }],
    [[], 2, 2, { given: 0, needed: 2 }],
  ])('%j of %d, %d of them people', (approvers, requiredApprovals, requiredHumans, progress) => {
    expect(progressOf({ approvers, requiredApprovals, requiredHumans }, PEOPLE)).toEqual(progress)
  })

  test('count as they are until the people are known', () => {
    const withdrawal = { approvers: [KEY], requiredApprovals: 2, requiredHumans: 2 }
    expect(progressOf(withdrawal, undefined)).toEqual({ given: 1, needed: 2 })
  })
})

describe('the last decision', () => {
  const approval = (name: string, createdAt: string, voidedAt: string | null = null) => ({
    userId: name,
    name,
    createdAt,
    method: 'totp' as const,
    voidedAt,
    voidCause: voidedAt === null ? null : 'expired',
  })
  const first = approval('ann', '2026-01-31T09:30:00.000Z')
  const second = approval('bob', '2026-01-31T09:40:00.000Z')
  const voided = approval('eve', '2026-01-31T09:50:00.000Z', '2026-02-02T00:00:00.000Z')

  test('is the newest approval that counts', () => {
    const approvals = [first, voided, second]
    expect(lastDecision({ status: 'Processing', approvals, cancellation: null })).toEqual({
      kind: 'approved',
      userId: 'bob',
      name: 'bob',
      at: second.createdAt,
    })
  })

  test('is the rejection of a rejected one, and none while it waits', () => {
    const rejection = { kind: 'rejected', userId: 'u', name: 'bob', at: 't', reason: 'no' } as const
    const rejected = { status: 'Cancelled', approvals: [first], cancellation: rejection } as const
    expect(lastDecision({ ...rejected, approvals: [first] })).toMatchObject({
      kind: 'rejected',
      name: 'bob',
    })
    const waiting = { status: 'PendingApproval', approvals: [first], cancellation: null } as const
    expect(lastDecision({ ...waiting, approvals: [first] })).toBeNull()
  })
})

test('sums are exact and by token', () => {
  const pay = (tokenId: string, amount: string) => ({ tokenId, chainId: 'c', amount })
  const large = '123456789012345678901234567890'
  expect(sumsOf([pay('a', large), pay('b', '5'), pay('a', '1')])).toEqual([
    { tokenId: 'a', chainId: 'c', amount: '123456789012345678901234567891', count: 2 },
    { tokenId: 'b', chainId: 'c', amount: '5', count: 1 },
  ])
})

test('a batch names each withdrawal once', () => {
  expect(idsIn('ids=a,b,a,,c')).toEqual(['a', 'b', 'c'])
  expect(idsIn('')).toEqual([])
})
