import { describe, expect, test } from 'vitest'
import { IDLE_MS, isOver, isResting, type Loan } from './loan.ts'

const NOW = 1_800_000_000_000
const FRESH = { updatedAt: NOW - 1, returnId: null, state: 'Lent' } as const
const OLD = { ...FRESH, updatedAt: NOW - IDLE_MS }
/** As it is where the clock was set back since. */
const AHEAD = { ...FRESH, updatedAt: NOW + 100 * IDLE_MS }

/** Written by another process whose clock is ahead by less than the alert threshold. */
const ELSEWHERE = { ...FRESH, updatedAt: NOW + 15_000 }

type Given = Pick<Loan, 'state' | 'returnId' | 'updatedAt'>

describe('a loan of energy', () => {
  test.each<[string, Given, { uses: number; unsettled: number }, boolean]>([
    ['is waited for before anybody has used it', FRESH, { uses: 0, unsettled: 0 }, false],
    ['is over when nobody has used it for long', OLD, { uses: 0, unsettled: 0 }, true],
    ['stands while a payment counts on it', OLD, { uses: 2, unsettled: 1 }, false],
    ['is over once all of them are settled', FRESH, { uses: 2, unsettled: 0 }, true],
    [
      'rests after it could not be taken back',
      { ...FRESH, returnId: 'x' },
      { uses: 2, unsettled: 0 },
      false,
    ],
    ['is then asked for again', { ...OLD, returnId: 'x' }, { uses: 2, unsettled: 0 }, true],
    ['O04 waits for its use though a clock is ahead', ELSEWHERE, { uses: 0, unsettled: 0 }, false],
    ['O04 rests no longer where the clock is set back', AHEAD, { uses: 0, unsettled: 0 }, true],
    ['is not over on its way', { ...OLD, state: 'Lending' }, { uses: 0, unsettled: 0 }, false],
    [
      'is not over twice',
      { ...OLD, state: 'Returning', returnId: 'x' },
      { uses: 1, unsettled: 0 },
      false,
    ],
  ])('%s', (_what, loan, given, over) => {
    expect(isOver(loan, { ...given, now: NOW })).toBe(over)
  })
})

describe('nothing more is lent for a while', () => {
  test.each([
    ['after one that failed', { failed: 1, unused: 0 }, true],
    ['after two that nobody used', { failed: 0, unused: 2 }, true],
    ['but after one alone: its process may have stood still', { failed: 0, unused: 1 }, false],
    ['but where each was used', { failed: 0, unused: 0 }, false],
  ])('%s', (_what, futile, rests) => {
    expect(isResting(futile)).toBe(rests)
  })
})
