import type { ChainId } from '@sluice/wire'
import type { Tx } from '../store/database.ts'
import { selectWalletOwners } from './wallet-rows.ts'

/**
 * The ids of the organizations that have an account on a chain: a deposit wallet commits with its
 * first account.
 */
export function organizationsOn(tx: Tx, chainId: ChainId): Promise<string[]> {
  return selectWalletOwners(tx, { chainId, purpose: 'deposit' })
}
