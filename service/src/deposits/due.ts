import type { ChainEntry } from '../catalogue/chains.ts'
import type { BlockRef } from '../chains/port.ts'
import { placedOn } from '../ledger/placed-on.ts'
import type { Tx } from '../store/database.ts'
import type { IncomingTransfer } from './deposit.ts'
import { selectWaiting } from './rows.ts'

/** At most this many deposits are confirmed in one commit; the rest follow in the next. */
export const CONFIRM_BATCH_MAX = 1_000

/** `final` is the chain's own word, given only where the node's hash at that height is ours. */
export interface Settling {
  rule: ChainEntry['finality']
  required: number
  tip: BlockRef
  final: BlockRef | null
}

/**
 * The highest block whose deposits count as confirmed (decisions, section 3; engineering, 12), or
 * -1. A chain whose rule is `final` falls back to depth where its nodes name no final block.
 */
export function confirmedHeight(given: Settling): number {
  const byDepth = given.tip.height - given.required
  const byFinality = given.final === null ? -1 : Math.min(given.final.height, given.tip.height)
  if (given.rule === 'depth') return byDepth
  if (given.rule === 'final') return given.final === null ? byDepth : byFinality
  return Math.max(byDepth, byFinality)
}

/** Which of the two says how high that block is: depth, or what the chain calls final. */
export function settlingRule(given: Settling): 'depth' | 'final' {
  if (given.rule === 'final') return given.final === null ? 'depth' : 'final'
  return confirmedHeight(given) > given.tip.height - given.required ? 'final' : 'depth'
}

/**
 * Detected deposits that have reached their confirmations at this tip, oldest first, at most
 * `limit`, or a batch. With `above`, only those of blocks above that height.
 */
export function dueTransfers(
  tx: Tx,
  given: {
    entry: ChainEntry
    required: number
    tip: BlockRef
    final: BlockRef | null
    above?: number
    limit?: number
  },
): Promise<IncomingTransfer[]> {
  const { above = -1, tip, limit = CONFIRM_BATCH_MAX } = given
  const upTo = confirmedHeight({ ...given, rule: given.entry.finality })
  if (upTo < 0) return Promise.resolve([])
  return selectWaiting(tx, { chainId: given.entry.id, above, upTo, tip, limit })
}

/** Base units that the ledger places on the transfer's address at the end of its block. */
export async function expectedAt(tx: Tx, transfer: IncomingTransfer): Promise<bigint> {
  const { orgId, chainId, tokenId, address, block } = transfer
  const addresses = [{ orgId, address }]
  const placed = await placedOn(tx, { chainId, addresses, height: block.height })
  return placed.get(address)?.get(tokenId) ?? 0n
}
