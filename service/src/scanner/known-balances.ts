import type { TokenId } from '@sluice/wire'
import type { ChainAdapter } from '../chains/chain-adapter.ts'
import type { Address, BlockRef } from '../chains/port.ts'

const KNOWN_MAX = 10_000

/**
 * Balances at the end of blocks, kept since the last step that succeeded. A step may need hundreds
 * of queries: with an unreliable node no step would ever succeed if each one started again.
 */
export class KnownBalances {
  readonly #balances = new Map<string, bigint>()

  /** As `balanceOf` of the adapter, which is queried for unknown balances. */
  async ask(
    adapter: Pick<ChainAdapter, 'balanceOf'>,
    address: Address,
    { tokenId, at }: { tokenId: TokenId; at: BlockRef },
  ): Promise<bigint | null> {
    const key = `${at.hash} ${tokenId} ${address}`
    const known = this.#balances.get(key)
    if (known !== undefined) return known
    const balance = await adapter.balanceOf(address, tokenId, at)
    if (balance !== null && this.#balances.size < KNOWN_MAX) this.#balances.set(key, balance)
    return balance
  }

  /** A step succeeded: the next one queries again. */
  forget(): void {
    this.#balances.clear()
  }
}
