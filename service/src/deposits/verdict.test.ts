import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { depositOf } from '../../test/support/sample-deposit.ts'
import { type Evidence, UNWITNESSED, judge, questionFor } from './verdict.ts'

const OPERATOR = { source: 'operator', suspended: false } as const
const CATALOGUE = { source: 'catalogue', suspended: false } as const
const TOKEN_DEPOSIT = depositOf({ position: 'log:0', amount: 100n, netMovement: 100n })
const INNER_DEPOSIT = depositOf({ position: 'call:0', amount: 100n, netMovement: 100n })

describe('questionFor', () => {
  test('is the movement for a contract token', () => {
    expect(questionFor(TOKEN_DEPOSIT, { native: false })).toBe('movement')
  })

  test('is coverage for an internal transfer, and none for a plain payment', () => {
    expect(questionFor(INNER_DEPOSIT, { native: true })).toBe('coverage')
    expect(questionFor(depositOf(), { native: true })).toBe('none')
  })

  test('is none for a released transfer', () => {
    expect(questionFor({ ...TOKEN_DEPOSIT, cleared: true }, { native: false })).toBe('none')
  })
})

describe('the movement of a token', () => {
  const judged = (before: bigint | null, after: bigint | null, token = OPERATOR) =>
    judge({
      transfer: TOKEN_DEPOSIT,
      question: 'movement',
      evidence: { before, after, expected: 0n },
      token,
    })

  test('credits the deposit if the balance moved exactly as the logs say [E08]', () => {
    expect(judged(5n, 105n)).toEqual({ credit: true })
  })

  test('holds the deposit and suspends the token otherwise [E08]', () => {
    const amounts = fc.bigInt({ min: 0n, max: 10n ** 30n })
    fc.assert(
      fc.property(amounts, amounts, (before, after) => {
        fc.pre(after - before !== 100n)
        expect(judged(before, after)).toMatchObject({ credit: false, suspendToken: true })
      }),
    )
  })

  test('credits a listed token and holds an own one without state [E07]', () => {
    const listed = { source: 'catalogue', suspended: false } as const
    for (const [before, after] of [
      [null, 105n],
      [5n, null],
      [null, null],
    ] as const) {
      expect(judged(before, after)).toMatchObject({ credit: false, suspendToken: false })
      const evidence: Evidence = { before, after, expected: 0n }
      const question = 'movement'
      expect(judge({ transfer: TOKEN_DEPOSIT, question, evidence, token: listed })).toEqual({
        credit: true,
      })
    }
  })
})

describe('an internal transfer', () => {
  const judged = (after: bigint | null, expected: bigint) =>
    judge({
      transfer: INNER_DEPOSIT,
      question: 'coverage',
      evidence: { before: null, after, expected },
      token: CATALOGUE,
    })

  test('is credited if the address holds what the ledger expects [E03]', () => {
    expect(judged(100n, 100n)).toEqual({ credit: true })
    expect(judged(101n, 100n)).toEqual({ credit: true })
    expect(judged(null, 100n)).toEqual({ credit: true })
  })

  test('is held if the address holds less [E02]', () => {
    expect(judged(99n, 100n)).toMatchObject({ credit: false, suspendToken: false })
    expect(judged(99n, 100n)).not.toMatchObject({ cause: UNWITNESSED })
  })

  test('waits for the audit if nodes only report settled balances [E07]', () => {
    const evidence: Evidence = { before: null, after: 99n, expected: 100n, isSettled: true }
    const asked = { transfer: INNER_DEPOSIT, question: 'coverage', token: CATALOGUE } as const
    const held = { credit: false, cause: UNWITNESSED, suspendToken: false }
    expect(judge({ ...asked, evidence })).toEqual(held)
    expect(judge({ ...asked, evidence: { ...evidence, after: 100n } })).toEqual({ credit: true })
  })
})

test('judge holds transfers of a suspended token unless they were released [E08]', () => {
  const token = { source: 'catalogue', suspended: true } as const
  const evidence: Evidence = { before: 0n, after: 100n, expected: 0n }
  const given = { question: 'movement', evidence, token } as const
  expect(judge({ ...given, transfer: TOKEN_DEPOSIT })).toMatchObject({
    credit: false,
    suspendToken: false,
  })
  const transfer = { ...TOKEN_DEPOSIT, cleared: true }
  expect(judge({ ...given, transfer, question: 'none' })).toEqual({ credit: true })
})
