import type { TokenId } from '@sluice/wire'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { placedTokens } from '../ledger/placed-on.ts'
import { openTokens } from '../transactions/core/unsettled-rows.ts'
import type { Tx } from '../store/database.ts'

/**
 * Tokens of a chain that are not configured but still read, because the ledger has some or a
 * payment of ours is pending. A token may have been removed from the configuration before a block
 * included its payment, which would then stay pending forever.
 */
export class UnlistedTokens {
  #placed: readonly TokenId[] | null = null

  /**
   * Queries the ledger once per term: tokens that are neither configured nor read are never booked.
   */
  async read(
    tx: Tx,
    { catalogue, entry }: { catalogue: Catalogue; entry: ChainEntry },
  ): Promise<readonly TokenId[]> {
    const asked = { chainId: entry.id, besides: catalogue.tokensOf(entry.id).map(({ id }) => id) }
    this.#placed ??= await placedTokens(tx, asked)
    return [...new Set([...this.#placed, ...(await openTokens(tx, asked))])]
  }
}
