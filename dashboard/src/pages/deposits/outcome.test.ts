import { describe, expect, test } from 'vitest'
import { answerOf, detailOf, toneOf, toSteps } from './outcome.ts'

const FOUND = { code: 'TRANSACTION_FOUND', message: 'Included in block 7.', details: {} } as const
const DETECTED = {
  code: 'DETECTED',
  message: 'Detected in block 7.',
  details: { at: '2026-11-28T12:00:00.000Z' },
} as const
const NO_TAG = { code: 'TAG_MISSING', message: 'It has no tag.', details: {} } as const
const FAILED = { code: 'TRANSACTION_FAILED', message: 'It failed.', details: {} } as const
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

  test('leaves out nodes that know nothing if the records of the service do', () => {
    const lost = { code: 'TRANSACTION_NOT_FOUND', message: '', details: {} } as const
    const known = toSteps([lost, DETECTED], 'DETECTED', () => null)
    expect(known.map(({ state }) => state)).toEqual(['current'])
    expect(toSteps([lost], 'TRANSACTION_NOT_FOUND', () => null)).toHaveLength(1)
  })

  test('shows a code that comes up twice once', () => {
    const steps = toSteps([FOUND, FAILED, FAILED], 'TRANSACTION_FAILED', () => null)
    expect(steps.map(({ state }) => state)).toEqual(['done', 'failed'])
  })
})

test('a step that went wrong is marked, and its words are in the answer', () => {
  const steps = [FOUND, NO_TAG, FAILED]
  const states = toSteps(steps, 'TRANSACTION_FAILED', () => null).map(({ state }) => state)
  expect(states).toEqual(['done', 'failed', 'failed'])
  expect(answerOf(steps, ({ message }) => message)).toBe('It has no tag. It failed.')
  expect(answerOf([FOUND, DETECTED], ({ message }) => message)).toBe('Detected in block 7.')
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
