import type { ChainId } from '@sluice/wire'
import { CHAINS } from '../catalogue/chains.ts'
import { chainsOfScope, watchScope } from '../catalogue/scope.ts'
import type { Tx } from '../store/database.ts'
import { selectWalletOwners } from './wallet-rows.ts'

/**
 * The ids of the organizations whose addresses are watched on a chain, whichever chain of its scope
 * they were issued for: their money may have arrived there. A deposit wallet commits with its first
 * account.
 */
export function organizationsOn(tx: Tx, chainId: ChainId): Promise<string[]> {
  const chainIds = CHAINS.filter(({ id }) => id === chainId)
    .flatMap((entry) => chainsOfScope(watchScope(entry)))
    .map(({ id }) => id)
  return selectWalletOwners(tx, { chainIds, purpose: 'deposit' })
}
