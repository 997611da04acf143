import type { ChainId, TokenId } from '@sluice/wire'
import { type WatchedAddress, listWatched } from '../accounts/list-addresses.ts'
import { watchScope } from '../catalogue/scope.ts'
import type { Drift } from '../ledger/posting.ts'
import { findDrift } from '../ledger/recompute.ts'
import type { Address } from '../chains/port.ts'
import type { Auditor } from './auditor.ts'
import { type Again, askAgain, withoutNoTokens } from './ask-again.ts'
import { compareAddresses } from './compare.ts'
import type { Expectation, Finding } from './finding.ts'
import { recordComparisons } from './settle.ts'

/** Addresses in one picture of the ledger. */
const BATCH = 500

/** What a full audit of a chain found. */
export interface ChainReport {
  chainId: ChainId
  addresses: number
  /** Balances that were to be compared, and how many of them were. */
  balances: number
  comparisons: number
  findings: readonly Finding[]
  /** Of how many balances, by token, no node told what they are at our tip. */
  left: readonly { tokenId: TokenId; balances: number }[]
  /** Listed tokens that the chain says are none: nothing of them is there to be compared. */
  noTokens: readonly TokenId[]
}

/**
 * Compares every address of ours on a chain, every listed token of it; what a node cannot answer at
 * our tip is asked again at the next ones. For the command line.
 */
export async function auditChain(auditor: Auditor, again: Again): Promise<ChainReport> {
  const findings: Finding[] = []
  const left: Expectation[] = []
  let addresses = 0
  let comparisons = 0
  for await (const batch of watchedBatches(auditor)) {
    const compared = await compareAddresses(auditor, { addresses: batch, tokens: 'all' })
    findings.push(...(await recordComparisons(auditor.database, compared.comparisons)))
    addresses += batch.length
    comparisons += compared.comparisons.length
    left.push(...compared.left)
  }
  const due = await withoutNoTokens(auditor, left)
  for await (const compared of askAgain(auditor, due.left, again)) {
    findings.push(...(await recordComparisons(auditor.database, compared)))
    comparisons += compared.length
  }
  return {
    chainId: auditor.entry.id,
    addresses,
    balances: comparisons + due.left.length,
    comparisons,
    findings,
    left: countByToken(due.left),
    noTokens: due.noTokens,
  }
}

function countByToken(left: readonly Expectation[]): ChainReport['left'] {
  const counts = new Map<TokenId, number>()
  for (const { tokenId } of left) counts.set(tokenId, (counts.get(tokenId) ?? 0) + 1)
  return [...counts].map(([tokenId, balances]) => ({ tokenId, balances }))
}

async function* watchedBatches(auditor: Auditor): AsyncGenerator<readonly WatchedAddress[]> {
  const scope = watchScope(auditor.entry)
  let after: Address | null = null
  for (;;) {
    const from: Address | null = after
    const batch: readonly WatchedAddress[] = await auditor.database.transaction((tx) =>
      listWatched(tx, { scope, after: from, limit: BATCH }),
    )
    if (batch.length > 0) yield batch
    after = batch.at(-1)?.address ?? null
    if (batch.length < BATCH || after === null) return
  }
}

/** The ledger against itself: balances that are not what their postings add up to. */
export function auditLedger({ database }: Pick<Auditor, 'database'>): Promise<Drift[]> {
  return database.snapshot((tx) => findDrift(tx))
}
