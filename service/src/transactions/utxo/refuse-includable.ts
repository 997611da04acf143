import { Refusal } from '../../base/fault.ts'
import type { ChainAdapter } from '../../chains/chain-adapter.ts'
import type { BlockRef } from '../../chains/port.ts'
import type { Hopeless } from './give-up-coins.ts'

/**
 * Asks the nodes about a spend that is to be given up. Refuses with BAD_REQUEST where they are not
 * at our tip, where they have a coin that our blocks have lost, and where one of the spend's
 * transactions, or one that would bring such a coin back, waits for a block. Throws an Outage where
 * a node cannot say.
 */
export async function refuseIncludable(
  adapter: Pick<ChainAdapter, 'tip' | 'unspent' | 'waiting'>,
  { hopeless, tip }: { hopeless: Pick<Hopeless, 'spend' | 'hashes' | 'pivots'>; tip: BlockRef },
): Promise<void> {
  const { spend, hashes, pivots } = hopeless
  const { head } = await adapter.tip()
  if (head.hash !== tip.hash) throw refuse(spend, 'our tip is not the head of its nodes')
  const absent = pivots.filter(({ block }) => block === null)
  const found = await adapter.unspent(absent)
  const back = absent.find((_, at) => found?.[at] !== false)
  if (back !== undefined) throw refuse(spend, `a node has ${back.txnHash}:${back.vout}`)
  const asked = [...new Set([...hashes, ...absent.map(({ txnHash }) => txnHash)])]
  const waits = await adapter.waiting?.(asked)
  const waiting = asked.find((_, at) => waits?.[at] !== false)
  if (waiting !== undefined) throw refuse(spend, `${waiting} waits for a block`)
}

function refuse({ id }: { id: string }, why: string): Refusal {
  return new Refusal('BAD_REQUEST', { id }, `The spend ${id} cannot be given up now: ${why}.`)
}
