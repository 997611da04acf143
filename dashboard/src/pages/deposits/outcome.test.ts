import { describe, expect, test } from 'vitest'
import { detailOf, toneOf, toSteps } from './outcome.ts'

const FOUND = { code: 'TRANSACTION_FOUND', message: 'Included in block 7.', details: {} } as const
const DETECTED = {
  code: 'DETECTED',
  message: 'Detected in block 7.',
  details: { at: '2026-11-28T12:00:00.000Z' },
} as const
const SMALL = {
  code: 'BELOW_MINIMUM',
  message: 'Below the minimum deposit.',
  details: { arrived: '300', minimum: '546', missing: '246' },
} as const

test('toneOf separates success, waiting, facts and problems', () => {
  expect(toneOf('CREDITED')).toBe('success')
  expect(toneOf('WAITING_FOR_CONFIRMATIONS')).toBe('info')
  expect(toneOf('TRANSACTION_FOUND')).toBe('neutral')
  expect(toneOf('TAG_UNKNOWN')).toBe('warning')
})

describe('toSteps', () => {
  test('ends with the outcome and keeps the times', () => {
    const steps = toSteps([FOUND, DETECTED, SMALL], 'BELOW_MINIMUM', ({ message }) => message)
    expect(steps.map(({ state }) => state)).toEqual(['done', 'done', 'failed'])
    expect(steps[1]).toMatchObject({ at: '2026-11-28T12:00:00.000Z' })
  })

  test('shows a code that comes up twice once', () => {
    const failed = { code: 'TRANSACTION_FAILED', message: '', details: {} } as const
    const steps = toSteps([FOUND, failed, failed], 'TRANSACTION_FAILED', () => null)
    expect(steps.map(({ state }) => state)).toEqual(['done', 'failed'])
  })
})

describe('detailOf', () => {
  test('writes amounts in units of the token', () => {
    const text = detailOf(SMALL, { symbol: 'BTC', decimals: 8 })
    expect(text).toContain('0.00000246 BTC')
    expect(text).not.toContain('base units')
  })

  test('keeps the words of the service otherwise', () => {
    expect(detailOf(SMALL)).toBe(SMALL.message)
    expect(detailOf(FOUND, { symbol: 'BTC', decimals: 8 })).toBe(FOUND.message)
  })
})
