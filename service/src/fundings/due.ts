import type { ChainEntry } from '../catalogue/chains.ts'
import type { BlockRef } from '../chains/port.ts'
import { confirmedHeight } from '../deposits/due.ts'
import { movedAbove } from '../ledger/places.ts'
import { placedOn } from '../ledger/placed-on.ts'
import type { Tx } from '../store/database.ts'
import type { Funding } from './funding.ts'
import { selectWaiting, sumAbove } from './rows.ts'

/** At most this many fundings are confirmed in one commit; the rest follow in the next. */
const CONFIRM_BATCH_MAX = 200

/** Detected fundings that have the confirmations a deposit would need, oldest first. */
export function dueFundings(
  tx: Tx,
  given: { entry: ChainEntry; required: number; tip: BlockRef; final: BlockRef | null },
): Promise<Funding[]> {
  const { tip } = given
  const upTo = confirmedHeight({ ...given, rule: given.entry.finality })
  if (upTo < 0) return Promise.resolve([])
  return selectWaiting(tx, { chainId: given.entry.id, upTo, tip, limit: CONFIRM_BATCH_MAX })
}

/**
 * Base units that the ledger places on a funding's address at the end of the funding's block: what
 * it places there now, less what came and what our own spends moved in later blocks.
 */
export async function expectedOf(tx: Tx, funding: Funding): Promise<bigint> {
  const { orgId, chainId, tokenId, address, block, place: kind } = funding
  const { height } = block
  const placed = await placedOn(tx, { chainId, addresses: [{ orgId, address }] })
  const later = await sumAbove(tx, { chainId, tokenId, address, height })
  const moved = await movedAbove(tx, { orgId, chainId, tokenId, kind, address, height })
  return (placed.get(address)?.get(tokenId) ?? 0n) - later - moved
}
