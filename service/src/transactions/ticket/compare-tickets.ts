import { Outage } from '../../base/fault.ts'
import { readChainState } from '../../catalogue/chain-state.ts'
import type { AccountStanding } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import { haltSender } from '../core/halt.ts'
import type { Sender } from '../core/sender.ts'
import { selectFreeTickets } from './ticket-rows.ts'

/**
 * Compares the unused tickets of a sender with the chain's. A missing one was used by a transaction
 * that we have forgotten, for example after restoring an old backup: the sender is halted so that
 * nothing is paid twice (W25). Throws an Outage if the node is behind our tip and cannot know all
 * tickets.
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
    throw new Outage(chainId, 'node is behind our tip')
  }
  const gone = known.filter((number) => !standing.tickets.includes(number))
  if (gone.length === 0) return
  const message =
    `The nodes know transactions of ${address} under the tickets ${gone.join(', ')}, ` +
    'which are not in our records.'
  const details = { tickets: gone, left: standing.tickets }
  await haltSender(tx, { chainId, address, code: 'spend.forgotten', message, details })
}
