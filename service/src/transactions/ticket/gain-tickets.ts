import type { Tx } from '../../store/database.ts'
import { moveNonce, selectSenderForUpdate } from '../core/sender-rows.ts'
import type { Sender } from '../core/sender.ts'
import type { Spend } from '../core/spend.ts'
import { dropTickets, upsertTickets } from './ticket-rows.ts'

/**
 * Applies the inclusion of a spend that creates tickets: they become usable, or, if it failed, its
 * numbers return to the sender. Ignores other spends.
 */
export async function gainTickets(tx: Tx, spend: Spend): Promise<void> {
  if (spend.tickets === 0) return
  const sender = await selectSenderForUpdate(tx, { ...spend, address: spend.sender })
  if (sender === null) return
  const first = spend.nonce + 1
  const next = first + spend.tickets
  if (spend.succeeded === true) {
    await upsertTickets(tx, { sender, numbers: numbersOf(spend) })
    if (sender.nextNonce < next) await move(tx, sender, next)
  } else if (sender.nextNonce === next) await move(tx, sender, first)
}

/** The block of the spend that made tickets left the chain, and they with it. */
export async function loseTickets(tx: Tx, spend: Spend): Promise<void> {
  if (spend.tickets === 0) return
  const { chainId, sender: address } = spend
  await dropTickets(tx, { chainId, address, numbers: numbersOf(spend) })
}

function move(tx: Tx, sender: Sender, to: number): Promise<boolean> {
  return moveNonce(tx, { ...sender, from: sender.nextNonce, to })
}

/** The numbers after its own. */
function numbersOf({ nonce, tickets }: Spend): number[] {
  return Array.from({ length: tickets }, (_, at) => nonce + 1 + at)
}
