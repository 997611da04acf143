import { describe, expect, test } from 'vitest'
import { bumpTerms, feeWords, LEDGERS_VALID, rateNamed, rateOf, termsWithin } from './fees.ts'

const LEDGER = 1_000
const [ASKED, WIDE] = [10n, 12n]
const until = (ledger: number) => BigInt(ledger) + LEDGERS_VALID

describe('a fee that the open ledger refuses', () => {
  const terms = { family: 'xrpl', fee: WIDE, lastLedger: until(LEDGER) } as const
  const refused = (cost: unknown) => {
    const outcome = 'telINSUF_FEE_P'
    return `node: ${outcome} ${'AB'.repeat(32)}${feeWords(outcome, cost)}`
  }

  test('is replaced by the one that the node names, under the same Sequence', () => {
    const named = rateNamed(terms, refused('5000'))
    expect(named).toMatchObject({ asked: 5_000n })
    const rate = rateOf(5_000n, LEDGER + 1)
    expect(bumpTerms(terms, rate, { absolute: 10_000n })).toMatchObject({ fee: 6_000n })
    expect(bumpTerms(terms, rate, { absolute: 4_999n })).toBeNull()
  })

  test.each([
    ['a fee that is not above the offered one', refused('12')],
    ['no fee', refused(undefined)],
    ['an accepted transaction', `node: tesSUCCESS ${'AB'.repeat(32)}`],
  ])('is not read from %s', (_what, answer) => {
    expect(rateNamed(terms, answer)).toBeNull()
  })
})

describe('the highest fee of a payment', () => {
  test('is a fifth more than the ledger asks for, in whole drops', () => {
    expect(termsWithin(ASKED, LEDGER, 1_000n)).toMatchObject({ fee: WIDE })
    expect(termsWithin(11n, LEDGER, 1_000n)).toMatchObject({ fee: 14n })
  })

  test.each([10n, 11n, 12n, 1_000n])('and within %d drops is so again and again [X10]', (cap) => {
    const first = termsWithin(ASKED, LEDGER, cap)
    expect(first).toMatchObject({ lastLedger: until(LEDGER) })
    if (first === null) throw new Error('no terms')
    const past = Number(first.lastLedger) + 1
    const second = bumpTerms(first, rateOf(ASKED, past), { absolute: cap })
    expect(second).toEqual({ ...first, lastLedger: until(past) })
  })

  test('is never above the cap [W16]', () => {
    const signed = { family: 'xrpl', fee: ASKED, lastLedger: 20n } as const
    expect(termsWithin(11n, LEDGER, 10n)).toBeNull()
    expect(bumpTerms(signed, rateOf(11n, LEDGER), { absolute: 10n })).toBeNull()
  })

  test('is not signed again while the last ledger has not passed [X10]', () => {
    const signed = { family: 'xrpl', fee: ASKED, lastLedger: BigInt(LEDGER) } as const
    expect(bumpTerms(signed, rateOf(ASKED, LEDGER), { absolute: 1_000n })).toBeNull()
  })
})
