import type { ChainEntry } from '../../catalogue/chains.ts'
import type { Intent, NonceReservation, TicketReservation } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import type { Sender } from '../core/sender.ts'
import type { Spend } from '../core/spend.ts'
import { selectFreeTickets } from '../ticket/ticket-rows.ts'

/**
 * The number under which a locked sender signs next: a ticket for each payment of an account that
 * all users share, so that one that is stuck holds none of the others; the sender's own next one
 * where there are none to be had. Null while tickets are under way, which are worth waiting for.
 */
export async function takeNumber(
  tx: Tx,
  given: { entry: ChainEntry; sender: Sender; intent: Intent; unmined: readonly Spend[] },
): Promise<NonceReservation | TicketReservation | null> {
  const { entry, sender, intent, unmined } = given
  const own = { kind: 'nonce', nonce: sender.nextNonce } as const
  if (!entry.sharesAddresses || intent.amount === 0n) return own
  const [ticket] = await selectFreeTickets(tx, sender)
  if (ticket !== undefined) return { kind: 'ticket', ticket }
  return unmined.some(({ tickets }) => tickets > 0) ? null : own
}

/** How a spend writes its number down. */
export function seatOf(
  reservation: NonceReservation | TicketReservation,
): Pick<Spend, 'nonce' | 'ticket'> {
  return reservation.kind === 'ticket'
    ? { nonce: reservation.ticket, ticket: true }
    : { nonce: reservation.nonce, ticket: false }
}

/** The reservation of a spend that was signed before: for a replacement it is the same one. */
export function reservationOf({
  nonce,
  ticket,
}: Pick<Spend, 'nonce' | 'ticket'>): NonceReservation | TicketReservation {
  return ticket ? { kind: 'ticket', ticket: nonce } : { kind: 'nonce', nonce }
}
