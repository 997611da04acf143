import { expect, test } from 'vitest'
import { signersRefusalOf } from './signers-refusal.ts'

test('a refusal names the signers that are left and the withdrawals that wait for them', () => {
  const details = {
    signersLeft: 1,
    minWithdrawalSigners: 2,
    minHumanApprovals: 3,
    withdrawals: [{ withdrawalId: 'w1', requiredApprovals: 2 }, null, { requiredApprovals: 2 }],
  }
  expect(signersRefusalOf(details)).toEqual({
    left: 1,
    needed: 3,
    withdrawals: [{ id: 'w1', approvals: 2 }],
  })
})

test('absent details are zero', () => {
  expect(signersRefusalOf({})).toEqual({ left: 0, needed: 0, withdrawals: [] })
})
