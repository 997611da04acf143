import type { TokenId } from '@sluice/wire'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { placedTokens } from '../ledger/placed-on.ts'
import { openTokens } from '../transactions/core/unsettled-rows.ts'
import type { Tx } from '../store/database.ts'

/**
 * The tokens of a chain that are not configured, and that blocks are read for all the same: of
 * which the ledger has something, or a payment of ours is on its way. They may have been taken out
 * of the configuration with that payment before a block had it, and what cannot be seen in its
 * block would be stuck for good.
 */
export class UnlistedTokens {
  #placed: readonly TokenId[] | null = null

  /**
   * What the ledger has is asked once in a term: of a token that is neither configured nor read
   * nothing is ever booked.
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
