import { unspendableEvm } from '../evm/unspendable.ts'
import type { Address } from '../port.ts'
import { toContractForm } from './address.ts'

/** `Blackhole` in the genesis block (java-tron, `config.conf`): burnt fees went there. */
const BLACK_HOLE = 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy'

/**
 * Describes an address without a known private key; null for any other address. The twenty bytes of
 * an unspendable EVM address are unspendable here too: both derive them from the same keys.
 */
export function unspendableTron(address: Address): string | null {
  if (address === BLACK_HOLE) return 'the black hole of the genesis block'
  return unspendableEvm(toContractForm(address))
}
