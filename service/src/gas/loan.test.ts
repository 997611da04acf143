import { describe, expect, test } from 'vitest'
import { IDLE_MS, isOver, isResting, type Loan } from './loan.ts'

const NOW = 1_800_000_000_000
const FRESH = { updatedAt: NOW - 1, returnId: null, state: 'Lent' } as const
const OLD = { ...FRESH, updatedAt: NOW - IDLE_MS }
/** Written by another process, whose clock is ahead by less than is tolerated. */
const ELSEWHERE = { ...FRESH, updatedAt: NOW + 5_000 }

type Given = Pick<Loan, 'state' | 'returnId' | 'updatedAt'>

describe('a loan of energy', () => {
  test.each<[string, Given, { uses: number; unsettled: number }, boolean]>([
    ['is kept before its first use', FRESH, { uses: 0, unsettled: 0 }, false],
    ['is taken back when it was not used for long', OLD, { uses: 0, unsettled: 0 }, true],
    ['is kept while a payment uses it', OLD, { uses: 2, unsettled: 1 }, false],
    ['is taken back once all payments are settled', FRESH, { uses: 2, unsettled: 0 }, true],
    [
      'is not retried at once after a failed return',
      { ...FRESH, returnId: 'x' },
      { uses: 2, unsettled: 0 },
      false,
    ],
    ['is then asked for again', { ...OLD, returnId: 'x' }, { uses: 2, unsettled: 0 }, true],
    ['O04 waits for its use though a clock is ahead', ELSEWHERE, { uses: 0, unsettled: 0 }, false],
    ['is not over on its way', { ...OLD, state: 'Lending' }, { uses: 0, unsettled: 0 }, false],
    [
      'is kept while it is being lent',
      { ...OLD, state: 'Lending' },
      { uses: 0, unsettled: 0 },
      false,
    ],
    [
      'is not taken back twice',
      { ...OLD, state: 'Returning', returnId: 'x' },
      { uses: 1, unsettled: 0 },
      false,
    ],
  ])('%s', (_what, loan, given, over) => {
    expect(isOver(loan, { ...given, now: NOW })).toBe(over)
  })
})

describe('lending pauses', () => {
  test.each([
    ['after a failed loan', { failed: 1, unused: 0 }, true],
    ['after two unused loans', { failed: 0, unused: 2 }, true],
    ['not after one unused loan', { failed: 0, unused: 1 }, false],
    ['not if every loan was used', { failed: 0, unused: 0 }, false],
  ])('%s', (_what, futile, rests) => {
    expect(isResting(futile)).toBe(rests)
  })
})
