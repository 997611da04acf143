import { assert } from '../base/assert.ts'
import type { CoinsReservation, Reservation } from './port.ts'

/** The nonce of a reservation. Another kind is a Bug. */
export function nonceOf(reservation: Reservation): number {
  assert(reservation.kind === 'nonce', 'a reservation of another family of chains')
  return reservation.nonce
}

/** The coins of a reservation. Another kind is a Bug. */
export function coinsOf(reservation: Reservation): CoinsReservation {
  assert(reservation.kind === 'coins', 'a reservation of another family of chains')
  return reservation
}
