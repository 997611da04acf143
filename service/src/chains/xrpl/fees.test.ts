import { describe, expect, test } from 'vitest'
import { bumpTerms, LEDGERS_VALID, rateOf, termsWithin } from './fees.ts'

const LEDGER = 1_000
const [ASKED, WIDE] = [10n, 12n]
const until = (ledger: number) => BigInt(ledger) + LEDGERS_VALID

describe('what a payment may burn', () => {
  test('is a fifth more than the ledger asks for, in whole drops', () => {
    expect(termsWithin(ASKED, LEDGER, 1_000n)).toMatchObject({ fee: WIDE })
    expect(termsWithin(11n, LEDGER, 1_000n)).toMatchObject({ fee: 14n })
  })

  test.each([10n, 11n, 12n, 1_000n])('X10 and within %d drops is so again and again', (cap) => {
    const first = termsWithin(ASKED, LEDGER, cap)
    expect(first).toMatchObject({ lastLedger: until(LEDGER) })
    if (first === null) throw new Error('no terms')
    const past = Number(first.lastLedger) + 1
    const second = bumpTerms(first, rateOf(ASKED, past), { absolute: cap })
    expect(second).toEqual({ ...first, lastLedger: until(past) })
  })

  test('W16 is never above the cap', () => {
    const signed = { family: 'xrpl', fee: ASKED, lastLedger: 20n } as const
    expect(termsWithin(11n, LEDGER, 10n)).toBeNull()
    expect(bumpTerms(signed, rateOf(11n, LEDGER), { absolute: 10n })).toBeNull()
  })

  test('X10 is not signed anew while the last ledger has not passed', () => {
    const signed = { family: 'xrpl', fee: ASKED, lastLedger: BigInt(LEDGER) } as const
    expect(bumpTerms(signed, rateOf(ASKED, LEDGER), { absolute: 1_000n })).toBeNull()
  })
})
