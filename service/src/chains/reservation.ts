import { assert } from '../base/assert.ts'
import type { CoinsReservation, NonceReservation, Reservation, TicketReservation } from './port.ts'

/** The nonce of a reservation. Another kind is a Bug. */
export function nonceOf(reservation: Reservation): number {
  assert(reservation.kind === 'nonce', 'a reservation of another family of chains')
  return reservation.nonce
}

/** The number or the ticket of a reservation. Another kind is a Bug. */
export function numberOf(reservation: Reservation): NonceReservation | TicketReservation {
  const isNumber = reservation.kind === 'nonce' || reservation.kind === 'ticket'
  assert(isNumber, 'a reservation of another family of chains')
  return reservation
}

/** The coins of a reservation. Another kind is a Bug. */
export function coinsOf(reservation: Reservation): CoinsReservation {
  assert(reservation.kind === 'coins', 'a reservation of another family of chains')
  return reservation
}
