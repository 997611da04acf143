import type { PaymentTrace } from '@sluice/client'
import { describe, expect, test } from 'vitest'
import { codesOf, isFound, isMoving } from './trace-codes.ts'

const NOT_FOUND: PaymentTrace = {
  chainId: 'eip155:1',
  txnHash: '0x',
  outcome: 'TRANSACTION_NOT_FOUND',
  steps: [],
  payments: [],
}
const PAYMENT: PaymentTrace['payments'][number] = {
  recipient: '0x1',
  senderAddress: '',
  tokenId: null,
  amount: '1',
  externalUserId: '',
  depositId: null,
  outcome: 'CREDITED',
  steps: [],
}

describe('isFound', () => {
  test('leaves out chains that do not know the transaction', () => {
    expect(isFound(NOT_FOUND)).toBe(false)
    expect(isFound({ ...NOT_FOUND, outcome: 'NOTHING_FOR_YOU' })).toBe(true)
  })

  test('keeps a stored payment that the nodes no longer know', () => {
    expect(isFound({ ...NOT_FOUND, payments: [PAYMENT] })).toBe(true)
  })
})

test('codesOf prefers the outcomes of the payments', () => {
  expect(codesOf(NOT_FOUND)).toEqual(['TRANSACTION_NOT_FOUND'])
  expect(codesOf({ ...NOT_FOUND, payments: [PAYMENT] })).toEqual(['CREDITED'])
})

test('isMoving separates waiting from problems', () => {
  expect(isMoving('BEING_CONFIRMED')).toBe(true)
  expect(isMoving('HELD')).toBe(false)
})
