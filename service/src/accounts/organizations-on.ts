import type { ChainId } from '@sluice/wire'
import { ALL_CHAINS } from '../catalogue/chains.ts'
import { chainsOfScope, watchScope } from '../catalogue/scope.ts'
import type { Tx } from '../store/database.ts'
import { selectWalletOwners } from './wallet-rows.ts'

/**
 * The ids of the organizations whose addresses are watched on a chain, whichever chain of its scope
 * they were issued for: their money may have arrived there. A deposit wallet commits with its first
 * account; where all users share an address it is the settlement account's.
 */
export function organizationsOn(tx: Tx, chainId: ChainId): Promise<string[]> {
  const entries = ALL_CHAINS.filter(({ id }) => id === chainId)
  const chainIds = entries.flatMap((entry) => chainsOfScope(watchScope(entry))).map(({ id }) => id)
  const purpose = entries.some((entry) => entry.sharesAddresses) ? 'settlement' : 'deposit'
  return selectWalletOwners(tx, { chainIds, purpose })
}
