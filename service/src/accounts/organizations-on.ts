import type { ChainId } from '@sluice/wire'
import { ALL_CHAINS } from '../catalogue/chains.ts'
import { chainsOfScope, watchScope } from '../catalogue/scope.ts'
import type { Tx } from '../store/database.ts'
import { selectWalletOwners } from './wallet-rows.ts'

/**
 * The ids of organizations with watched addresses on a chain, issued for any chain of its scope. A
 * deposit wallet commits with its first account; on chains with shared addresses it is the wallet
 * of the settlement account.
 */
export function organizationsOn(tx: Tx, chainId: ChainId): Promise<string[]> {
  const entries = ALL_CHAINS.filter(({ id }) => id === chainId)
  const chainIds = entries.flatMap((entry) => chainsOfScope(watchScope(entry))).map(({ id }) => id)
  const purpose = entries.some((entry) => entry.sharesAddresses) ? 'settlement' : 'deposit'
  return selectWalletOwners(tx, { chainIds, purpose })
}
