import type { TokenId } from '@sluice/wire'
import type { ChainAdapter } from '../chains/chain-adapter.ts'
import type { Address, BlockRef } from '../chains/port.ts'

const KNOWN_MAX = 10_000

/**
 * What addresses held at the end of blocks, as the steps of a scanner asked since the last that
 * succeeded while its nodes answered well. One step may ask hundreds of times: with a node that
 * errs now and then some question of each would fail, and no step ever succeed, if the next one
 * asked everything again.
 */
export class KnownBalances {
  readonly #balances = new Map<string, bigint>()

  /** As `balanceOf` of the adapter, which is asked for what is not known. */
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

  /** A step succeeded: what the next one asks is asked anew. */
  forget(): void {
    this.#balances.clear()
  }
}
