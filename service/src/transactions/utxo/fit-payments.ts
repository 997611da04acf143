import type { CoinsReservation } from '../../chains/port.ts'
import type { Payment } from '../core/payment-request.ts'

/** Payments that coins suffice for, and the coins. */
export interface Fit {
  payments: readonly Payment[]
  reservation: CoinsReservation
}

/** Payments tried one by one after the longest prefix. */
const TRIES_MAX = 8

/**
 * As many payments as the coins cover: the longest prefix, then later ones that still fit, so that
 * one large payment does not block the others. Null if none fits. Pure; calls `choose` a few dozen
 * times at most.
 */
export function fitPayments(
  payments: readonly Payment[],
  choose: (payments: readonly Payment[]) => CoinsReservation | null,
): Fit | null {
  let fit: Fit | null = null
  let [from, to] = [0, payments.length]
  for (let count = to; from < to; count = Math.ceil((from + to) / 2)) {
    const some = payments.slice(0, count)
    const reservation = choose(some)
    if (reservation === null) to = count - 1
    else [from, fit] = [count, { payments: some, reservation }]
  }
  for (const payment of payments.slice(from + 1, from + 1 + TRIES_MAX)) {
    const some: Payment[] = [...(fit?.payments ?? []), payment]
    const reservation = choose(some)
    if (reservation !== null) fit = { payments: some, reservation }
  }
  return fit
}
