import type { ChainId, TokenId } from '@sluice/wire'
import type { Tx } from '../../store/database.ts'
import { selectOpenTokens } from './unsettled-rows.ts'

/**
 * The tokens of which a payment of ours waits for a block, or for its block to be deep enough,
 * besides those that are named.
 */
export function openTokens(
  tx: Tx,
  given: { chainId: ChainId; besides: readonly TokenId[] },
): Promise<TokenId[]> {
  return selectOpenTokens(tx, given)
}
