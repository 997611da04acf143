import type { SingleWithdrawal } from '@sluice/client'
import { describe, expect, test } from 'vitest'
import { stepsOf } from './steps.ts'

const at = (minute: number) => `2026-01-31T09:${String(minute).padStart(2, '0')}:00.000Z`
const approval = (userId: string, minute: number) => ({
  userId,
  name: userId,
  createdAt: at(minute),
  method: 'totp' as const,
  voidedAt: null,
  voidCause: null,
})
const signed: SingleWithdrawal['transactions'][number] = {
  txnHash: '0xab',
  state: 'Sent',
  fee: null,
  maxFee: '1',
  blockNumber: null,
  signedAt: at(5),
  broadcastAt: at(5),
}
const pending: SingleWithdrawal = {
  id: 'w',
  orgId: 'o',
  chainId: 'eip155:1',
  tokenId: 'eip155:1/slip44:60',
  amount: '1',
  recipient: '0x1',
  memo: null,
  reference: 'r',
  internalNote: null,
  status: 'PendingApproval',
  txnHash: null,
  txnError: null,
  failureCode: null,
  initiator: 'ann',
  initiatorName: 'ann',
  approvers: ['ann'],
  eligibleApprovers: [],
  requiredApprovals: 2,
  requiredHumans: 2,
  waitingFor: 'approvals',
  waitingSince: at(0),
  externalUserId: '',
  fee: null,
  createdAt: at(0),
  updatedAt: at(9),
  Token: { id: 'eip155:1/slip44:60', name: 'Ether', symbol: 'ETH', decimals: 18, address: '' },
  approvals: [approval('ann', 0)],
  transactions: [],
  cancellation: null,
  speedUp: { possible: false, reason: 'unsigned', requestedAt: null },
}
const approved: SingleWithdrawal = {
  ...pending,
  status: 'Pending',
  approvals: [approval('ann', 0), approval('bob', 3)],
}
const shown = (withdrawal: SingleWithdrawal, times: [string, string][] = []) =>
  stepsOf(withdrawal, new Map(times), { waiting: 'it waits' }).map(
    ({ title, state }) => `${title}: ${state}`,
  )

describe('the steps of a withdrawal', () => {
  test('stop at the approval, with the reason of the wait', () => {
    expect(shown(pending)).toEqual([
      'Requested: done',
      'Approved: current',
      'Signed and sent: todo',
      'Included in a block: todo',
      'Completed: todo',
    ])
    expect(stepsOf(pending, new Map(), { waiting: 'it waits' })[1]?.detail).toBe('it waits')
  })

  test('have the times of approvals, transactions and events', () => {
    const inBlock = { ...signed, state: 'Confirmed', blockNumber: 12 } as const
    const done: SingleWithdrawal = { ...approved, status: 'Completed', transactions: [inBlock] }
    const steps = stepsOf(done, new Map([['withdrawal.completed', at(8)]]), {})
    expect(steps.map((step) => step.at)).toEqual([at(0), at(3), at(5), null, at(8)])
    expect(steps[3]?.detail).toContain('12')
  })

  test('wait for a block after the signature', () => {
    const sent: SingleWithdrawal = { ...approved, status: 'Processing', transactions: [signed] }
    expect(shown(sent)).toEqual([
      'Requested: done',
      'Approved: done',
      'Signed and sent: done',
      'Included in a block: current',
      'Completed: todo',
    ])
  })

  test('end where a rejection or a failure came', () => {
    const rejected: SingleWithdrawal = {
      ...pending,
      status: 'Cancelled',
      cancellation: { kind: 'rejected', userId: 'bob', name: 'bob', at: at(4), reason: 'wrong' },
    }
    expect(shown(rejected)).toEqual(['Requested: done', 'Rejected: failed'])
    expect(stepsOf(rejected, new Map(), {})[1]).toMatchObject({
      at: at(4),
      detail: 'By bob. wrong',
    })
    const names = new Map([['ann', 'ann']])
    expect(stepsOf(rejected, new Map(), { names })[1]?.detail).toBe('By API key. wrong')
    const failed: SingleWithdrawal = { ...approved, status: 'Failed', txnError: 'no gas' }
    expect(shown(failed)).toEqual(['Requested: done', 'Approved: done', 'Failed: failed'])
  })
})
