import type { ChainId, TokenId } from '@sluice/wire'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import { selectUnsettled } from './rows.ts'

/**
 * Base units that fundings put on these addresses and that are not credited, by token: they wait
 * for confirmations, or are held. Addresses without any are left out.
 */
export async function unsettledFundings(
  tx: Tx,
  given: { chainId: ChainId; addresses: readonly Address[] },
): Promise<{ address: Address; tokenId: TokenId; amount: bigint }[]> {
  return given.addresses.length === 0 ? [] : selectUnsettled(tx, given)
}
