import { Outage } from '../../base/fault.ts'
import { noncesOf } from '../../chains/chain-adapter.ts'
import type { Address } from '../../chains/port.ts'
import type { SpendMeans } from '../core/mandate.ts'

/**
 * The number that the chain takes next from a sender, and the one that comes after all that the
 * node knows of. Where the first number of an account is not 0, 0 says that the node has no such
 * account: it is behind, for who signs was there before. That is an Outage.
 */
export async function numbersOf(
  { adapter, entry }: Pick<SpendMeans, 'adapter' | 'entry'>,
  address: Address,
): Promise<{ latest: number; pending: number }> {
  const numbers = await noncesOf(adapter, address)
  if (numbers.latest === 0 && entry.accountNumbers === 'from-ledger')
    throw new Outage(entry.id, `a node does not know the account ${address}`)
  return numbers
}
