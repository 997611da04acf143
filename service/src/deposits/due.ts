import type { ChainEntry } from '../catalogue/chains.ts'
import type { BlockRef } from '../chains/port.ts'
import { placedOn } from '../ledger/placed-on.ts'
import type { Tx } from '../store/database.ts'
import type { IncomingTransfer } from './deposit.ts'
import { selectWaiting } from './rows.ts'

/** Transfers confirmed in one commit; the next commit takes the rest. */
export const CONFIRM_BATCH_MAX = 1_000

/** `final` is what the chain reports, and only if our block at that height has the same hash. */
export interface Settling {
  rule: ChainEntry['finality']
  required: number
  tip: BlockRef
  final: BlockRef | null
}

/**
 * Highest block whose deposits count as confirmed (decisions, section 3; engineering, 12), or -1. A
 * chain with the rule `final` uses depth while its nodes report no final block.
 */
export function confirmedHeight({ rule, required, tip, final }: Settling): number {
  const byDepth = tip.height - required
  const byFinality = final === null ? -1 : Math.min(final.height, tip.height)
  if (rule === 'depth') return byDepth
  if (rule === 'final') return final === null ? byDepth : byFinality
  return Math.max(byDepth, byFinality)
}

/** Rule that determines that height: depth, or the final block of the chain. */
export function settlingRule(settling: Settling): 'depth' | 'final' {
  const { rule, required, tip, final } = settling
  if (rule === 'final') return final === null ? 'depth' : 'final'
  return confirmedHeight(settling) > tip.height - required ? 'final' : 'depth'
}

/**
 * Detected transfers that have their confirmations at this tip, oldest first, at most `limit` or a
 * batch. With `above`, only those in blocks above that height.
 */
export function dueTransfers(
  tx: Tx,
  {
    entry,
    above = -1,
    limit = CONFIRM_BATCH_MAX,
    ...at
  }: {
    entry: ChainEntry
    required: number
    tip: BlockRef
    final: BlockRef | null
    above?: number
    limit?: number
  },
): Promise<IncomingTransfer[]> {
  const upTo = confirmedHeight({ ...at, rule: entry.finality })
  if (upTo < 0) return Promise.resolve([])
  return selectWaiting(tx, { chainId: entry.id, above, upTo, tip: at.tip, limit })
}

/** Base units that the ledger places on the transfer's address at the end of its block. */
export async function expectedAt(tx: Tx, transfer: IncomingTransfer): Promise<bigint> {
  const { orgId, chainId, tokenId, address, block } = transfer
  const addresses = [{ orgId, address }]
  const placed = await placedOn(tx, { chainId, addresses, height: block.height })
  return placed.get(address)?.get(tokenId) ?? 0n
}
