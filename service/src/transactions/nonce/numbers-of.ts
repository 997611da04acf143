import { Outage } from '../../base/fault.ts'
import { noncesOf } from '../../chains/chain-adapter.ts'
import type { Address } from '../../chains/port.ts'
import type { SpendDeps } from '../core/payment-request.ts'

/**
 * The next nonce of a sender on the chain, and the one after all transactions that the node knows.
 * On chains whose accounts do not begin at 0, a 0 means that the node does not know the account, so
 * it is behind: an Outage.
 */
export async function numbersOf(
  { adapter, entry }: Pick<SpendDeps, 'adapter' | 'entry'>,
  address: Address,
): Promise<{ latest: number; pending: number }> {
  const numbers = await noncesOf(adapter, address)
  if (numbers.latest === 0 && entry.accountNumbers === 'from-ledger')
    throw new Outage(entry.id, `node does not know the account ${address}`)
  return numbers
}
