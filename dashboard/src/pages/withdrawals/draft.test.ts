import { type ErrorCode, SluiceError } from '@sluice/client'
import { describe, expect, test } from 'vitest'
import { baseUnitsOf, emptyDraft, errorsOf, proposeReference, toWithdrawal } from './draft.ts'

const USDT = { symbol: 'USDT', decimals: 6, chainId: 'tron:shasta' }
const filled = {
  ...emptyDraft('payout-1'),
  chainId: 'tron:shasta',
  tokenId: 'tron:shasta/trc20:T',
  amount: ' 1250.5 ',
  recipient: ' TXYZ ',
}
const refusal = (code: ErrorCode, details: Record<string, unknown>) =>
  new SluiceError({
    code,
    message: `${code}: refused`,
    status: 422,
    details,
    requestId: null,
    docUrl: null,
    retryAfterSeconds: null,
  })

describe('a filled form', () => {
  test('is a withdrawal in base units; empty fields are null', () => {
    expect(toWithdrawal(filled, USDT)).toEqual({
      withdrawal: {
        chainId: 'tron:shasta',
        tokenId: 'tron:shasta/trc20:T',
        amount: '1250500000',
        recipient: 'TXYZ',
        reference: 'payout-1',
        memo: null,
        internalNote: null,
        externalUserId: null,
      },
    })
  })

  test('names every field that is missing', () => {
    const { errors } = { errors: {}, ...toWithdrawal(emptyDraft(''), undefined) }
    expect(Object.keys(errors).toSorted()).toEqual(['chainId', 'recipient', 'reference', 'tokenId'])
    const token = toWithdrawal({ ...filled, chainId: 'eip155:1' }, USDT)
    expect(token).toMatchObject({ errors: { tokenId: expect.any(String) } })
  })
})

test.each([
  ['1', 6, '1000000'],
  ['0.000001', 6, '1'],
  ['0.0000001', 6, null],
  ['1,5', 6, null],
  ['1e3', 6, null],
  ['0', 6, null],
  ['-1', 6, null],
  ['', 6, null],
  ['123456789012345678901234567890.5', 1, '1234567890123456789012345678905'],
])('%j with %d decimals is %j base units', (amount, decimals, baseUnits) => {
  expect(baseUnitsOf(amount, decimals)).toBe(baseUnits)
})

describe('a refusal', () => {
  test('is beside its field, with amounts in tokens', () => {
    const poor = refusal('INSUFFICIENT_BALANCE', { available: '1500000', required: '2' })
    expect(errorsOf(poor, USDT)?.amount).toContain('1.50 USDT')
    expect(errorsOf(refusal('INVALID_RECIPIENT_ADDRESS', {}), USDT)).toEqual({
      recipient: 'refused',
    })
    expect(errorsOf(refusal('BAD_REQUEST', { field: 'internalNote' }), USDT)).toEqual({
      internalNote: 'refused',
    })
  })

  test('about no field is none of the form', () => {
    expect(errorsOf(refusal('INSUFFICIENT_GAS', {}), USDT)).toBeNull()
    expect(errorsOf(refusal('BAD_REQUEST', { field: 'toString' }), USDT)).toBeNull()
    expect(errorsOf(new Error('no'), USDT)).toBeNull()
  })
})

test('a proposed reference has the day and eight random letters', () => {
  const random = new Uint8Array([0, 1, 2, 3, 255, 254, 31, 30])
  const reference = proposeReference(new Date('2026-11-28T23:59:59Z'), random)
  expect(reference).toMatch(/^payout-20261128-[2-9a-z]{8}$/)
  expect(proposeReference(new Date('2026-11-28T23:59:59Z'), random)).toBe(reference)
})
