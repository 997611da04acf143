import type { ChainId } from '@sluice/wire'
import type { Address } from '../../chains/port.ts'
import type { Tx } from '../../store/database.ts'
import type { OwnCoin } from './coin.ts'
import { selectUnspentOn } from './coin-rows.ts'

/** The unspent coins on these addresses that blocks of ours have, reserved or not. */
export function unspentOn(
  tx: Tx,
  given: { chainId: ChainId; addresses: readonly Address[] },
): Promise<OwnCoin[]> {
  return given.addresses.length === 0 ? Promise.resolve([]) : selectUnspentOn(tx, given)
}
