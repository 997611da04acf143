import type { ChainId, TokenId } from '@sluice/wire'
import { type Clock, isPausing, type Millis } from '../base/clock.ts'
import { Outage } from '../base/fault.ts'
import type { ChainAdapter } from '../chains/chain-adapter.ts'

/** Cached current fees of transfers. */
export interface FeeBook {
  /**
   * The most that one plain transfer of a token costs now, in base units of the native currency. At
   * most 15 s old; during an outage at most 10 min, and then an Outage.
   */
  feeOf(chainId: ChainId, tokenId: TokenId): Promise<bigint>
}

const FRESH_MS = 15_000

const USABLE_MS = 600_000

interface Entry {
  fee: bigint
  at: Millis
}

/** Opens the book on the chains that have nodes. */
export function openFeeBook(
  chains: { get(chainId: ChainId): Pick<ChainAdapter, 'feeEstimate'> | null },
  clock: Clock,
): FeeBook {
  const known = new Map<TokenId, Entry>()
  const asked = new Map<TokenId, Promise<bigint>>()
  const ask = async (chainId: ChainId, tokenId: TokenId): Promise<bigint> => {
    const adapter = chains.get(chainId)
    if (adapter === null) throw new Outage(chainId, 'no node is configured')
    const fee = await adapter.feeEstimate(tokenId)
    known.set(tokenId, { fee, at: clock.now() })
    return fee
  }
  // Many ask at once when a fee has grown old; one of them asks the node.
  const askOnce = (chainId: ChainId, tokenId: TokenId): Promise<bigint> => {
    const underWay = asked.get(tokenId)
    if (underWay !== undefined) return underWay
    const asking = ask(chainId, tokenId).finally(() => asked.delete(tokenId))
    asked.set(tokenId, asking)
    return asking
  }
  return {
    async feeOf(chainId, tokenId) {
      const entry = known.get(tokenId)
      const now = clock.now()
      if (entry !== undefined && isPausing(now, entry.at, FRESH_MS)) return entry.fee
      try {
        return await askOnce(chainId, tokenId)
      } catch (error) {
        const isUsable = entry !== undefined && isPausing(now, entry.at, USABLE_MS)
        if (!isUsable || !(error instanceof Outage)) throw error
        return entry.fee
      }
    },
  }
}
