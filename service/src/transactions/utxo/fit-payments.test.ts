import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sum } from '../../base/amount.ts'
import { parseChain, parseHolder } from '../../../test/adapters/brands.ts'
import type { CoinsReservation } from '../../chains/port.ts'
import { fitPayments } from './fit-payments.ts'
import type { Payment } from '../core/payment-request.ts'

const SEPOLIA = parseChain('eip155:11155111')
const SOMEBODY = parseHolder(SEPOLIA, '0x52908400098527886E0F7030069857D2E4169EE7')
const NOTHING: CoinsReservation = { kind: 'coins', coins: [], change: null }
const amounts = fc.array(fc.bigInt({ min: 1n, max: 1_000n }), { minLength: 1, maxLength: 100 })

describe('fitPayments', () => {
  test('returns all payments with one call when all fit [B12]', () => {
    let asked = 0
    const payments = paying([5n, 4n, 3n])
    const fit = fitPayments(payments, () => {
      asked += 1
      return NOTHING
    })
    expect(fit?.payments).toEqual(payments)
    expect(asked).toBe(1)
  })

  test('skips a payment that is too large [B12]', () => {
    const fit = fitPayments(paying([50n, 3n, 40n, 4n]), within(10n))
    expect(fit?.payments.map(({ amount }) => amount)).toEqual([3n, 4n])
  })

  test('returns null when no payment fits [B12]', () => {
    expect(fitPayments(paying([50n, 40n]), within(10n))).toBeNull()
  })

  test('never exceeds the coins, oldest first, each once, with few calls [B12]', () => {
    fc.assert(
      fc.property(amounts, fc.bigInt({ min: 0n, max: 20_000n }), (wanted, most) => {
        const payments = paying(wanted)
        let asked = 0
        const choose = within(most)
        const fit = fitPayments(payments, (some) => {
          asked += 1
          return choose(some)
        })
        const paid = fit?.payments ?? []
        expect(sum(paid.map(({ amount }) => amount))).toBeLessThanOrEqual(most)
        const places = paid.map((one) => payments.indexOf(one))
        expect(places).toEqual([...new Set(places)].sort((a, b) => a - b))
        const [oldest] = payments
        if (oldest !== undefined && oldest.amount <= most) expect(paid[0]).toBe(oldest)
        expect(asked).toBeLessThanOrEqual(20)
      }),
    )
  })
})

function paying(wanted: readonly bigint[]): Payment[] {
  return wanted.map((amount, at) => ({ subjectId: String(at), to: SOMEBODY, amount }))
}

/** Coins that hold so much in all, and cost nothing to spend. */
function within(most: bigint): (payments: readonly Payment[]) => CoinsReservation | null {
  return (payments) => (sum(payments.map(({ amount }) => amount)) <= most ? NOTHING : null)
}
