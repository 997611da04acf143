import { describe, expect, test } from 'vitest'
import { type SingleDeposit, stepsOf } from './deposit-steps.ts'
import { supportText } from './support-text.ts'

const AT = '2026-11-28T12:00:00.000Z'
const DELIVERY = {
  state: 'delivered',
  attemptCount: 1,
  lastStatus: 200,
  lastError: '',
  nextAttemptAt: null,
  finishedAt: AT,
} as const
const CREDITED: SingleDeposit = {
  id: '019ab4ef-4444-7000-8000-000000000004',
  index: 0,
  chainId: 'eip155:1',
  txnHash: '0xab',
  tokenId: 'eip155:1/slip44:60',
  amount: '20000000000000000',
  accountChainId: 'eip155:1',
  externalUserId: 'customer-42',
  senderAddress: '0x1',
  status: 'Confirmed',
  confirmations: 12,
  requiredConfirmations: 12,
  blockNumber: 100,
  blockHash: '0xcd',
  confirmedAt: AT,
  Token: { id: 'eip155:1/slip44:60', name: 'Ether', symbol: 'ETH', decimals: 18, address: '' },
  createdAt: AT,
  updatedAt: AT,
  orgDepositAccountId: 'account',
  recipientAddress: '0x2',
  destinationTag: null,
  heldReason: null,
  detectedAt: AT,
  notification: { eventId: 'event', timestamp: AT, delivery: DELIVERY },
  sweep: { id: 'sweep', status: 'Done', txnHash: '0xef', createdAt: AT, updatedAt: AT },
}

function statesOf(deposit: SingleDeposit): string[] {
  return stepsOf(deposit, undefined).map(({ state }) => state)
}

describe('stepsOf', () => {
  test('is done from detection to sweep', () => {
    expect(statesOf(CREDITED)).toEqual(['done', 'done', 'done', 'done', 'done', 'done'])
  })

  test('waits for confirmations, with the progress', () => {
    const deposit: SingleDeposit = {
      ...CREDITED,
      status: 'Detected',
      confirmations: 7,
      confirmedAt: null,
      notification: null,
      sweep: null,
    }
    expect(statesOf(deposit)).toEqual(['done', 'done', 'current', 'todo', 'todo', 'todo'])
    const progress = { confirmations: 7, required: 12, remaining: 5, seconds: 60 }
    expect(stepsOf(deposit, progress)[2]).toMatchObject({ detail: '7 of 12, about 1 min' })
  })

  test('names the reason of a hold', () => {
    const deposit: SingleDeposit = { ...CREDITED, status: 'Held', heldReason: 'checked' }
    expect(stepsOf(deposit, undefined)[3]).toMatchObject({ state: 'failed', detail: 'checked' })
  })

  test('shows a block that left the chain', () => {
    const deposit: SingleDeposit = { ...CREDITED, status: 'Orphaned', notification: null }
    expect(statesOf(deposit).slice(1, 4)).toEqual(['failed', 'todo', 'todo'])
  })

  test('shows a failed notification with its error', () => {
    const delivery = { ...DELIVERY, state: 'failed', lastError: 'answered 500' } as const
    const deposit = { ...CREDITED, notification: { eventId: 'e', timestamp: AT, delivery } }
    const step = stepsOf(deposit, undefined)[4]
    expect(step?.state).toBe('failed')
    expect(step?.detail).toContain('Answered 500.')
  })

  test('says that a notification is that of the default endpoint if there are others', () => {
    const details = [1, 2].map((count) => stepsOf(CREDITED, undefined, count)[4]?.detail)
    expect(details).toEqual([undefined, expect.stringContaining('default endpoint')])
  })

  test('has no sweep where deposits are not swept', () => {
    const bitcoin = { ...CREDITED, chainId: 'bip122:000000000019d6689c085ae165831e93', sweep: null }
    expect(statesOf(bitcoin)).toHaveLength(5)
    expect(statesOf({ ...CREDITED, sweep: null })).toHaveLength(6)
  })
})

test('supportText names every fact once and leaves out the absent ones', () => {
  const options = { chain: 'Ethereum', reason: '', url: 'https://pay.example/dashboard' }
  const text = supportText(CREDITED, options)
  expect(text).toContain('Amount: 0.02 ETH (20000000000000000)')
  expect(text).toContain('Chain: Ethereum (eip155:1)')
  expect(text).not.toContain('Destination tag')
  const tagged = supportText({ ...CREDITED, destinationTag: '7' }, options)
  expect(tagged).toContain('Destination tag: 7')
})
