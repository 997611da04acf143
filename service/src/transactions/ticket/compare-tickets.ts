import { Outage } from '../../base/fault.ts'
import { readChainState } from '../../catalogue/chain-state.ts'
import type { AccountStanding } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import { haltSender } from '../core/halt.ts'
import type { Sender } from '../core/sender.ts'
import { selectFreeTickets } from './ticket-rows.ts'

/**
 * Compares the tickets of a sender under which nothing was signed, as far as we know, with those
 * that the chain has: one that is gone was used by a transaction that we have forgotten, as after
 * the restore of an old backup, and the sender is halted before anything is paid a second time
 * (W25). An Outage where the node that was asked is behind what we have read: of what it has not
 * seen made, it cannot say that it was used.
 */
export async function compareTickets(
  tx: Tx,
  { sender, standing }: { sender: Sender; standing: AccountStanding | null },
): Promise<void> {
  const known = await selectFreeTickets(tx, sender)
  if (known.length === 0) return
  const { chainId, address } = sender
  const state = await readChainState(tx, chainId)
  if (standing === null || standing.height < (state?.tip.height ?? 0)) {
    throw new Outage(chainId, 'no node has come as far as was read before')
  }
  const gone = known.filter((number) => !standing.tickets.includes(number))
  if (gone.length === 0) return
  const message =
    `The nodes know transactions of ${address} under the tickets ${gone.join(', ')}, ` +
    'which we do not remember.'
  const details = { tickets: gone, left: standing.tickets }
  await haltSender(tx, { chainId, address, code: 'spend.forgotten', message, details })
}
