import type { ChainId, TokenId } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'
import { leftBehind } from '../ledger/places.ts'
import type { Tx } from '../store/database.ts'

/** Cached sum of the gas on deposit addresses. */
export interface DustBook {
  /**
   * Base units that top-ups and sweeps left on deposit addresses of an organization, too little to
   * be swept; at most two minutes old. `nativeFee` is the highest fee of a native sweep.
   */
  dustOf(tx: Tx, whose: DustQuestion): Promise<bigint>
}

interface DustQuestion {
  orgId: string
  chainId: ChainId
  native: TokenId
  nativeFee: bigint
}

const FRESH_MS = 120_000

/** Of what is swept for its age at least half must arrive: less than so many fees stays. */
const STAYS_BELOW_FEES = 2n

/** Opens an empty book. */
export function openDustBook(): DustBook {
  const known = new Map<string, { dust: bigint; at: Millis }>()
  return {
    async dustOf(tx, { orgId, chainId, native: tokenId, nativeFee }) {
      const key = `${orgId} ${chainId}`
      const entry = known.get(key)
      const now = tx.clock.now()
      if (entry !== undefined && now - entry.at < FRESH_MS) return entry.dust
      const most = STAYS_BELOW_FEES * nativeFee - 1n
      const dust = await leftBehind(tx, { orgId, chainId, tokenId, kind: 'deposits', most })
      known.set(key, { dust, at: now })
      return dust
    },
  }
}
