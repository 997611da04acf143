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

/** Addresses in one snapshot of the ledger. */
const BATCH = 500

/** Result of a full audit of a chain. */
export interface ChainReport {
  chainId: ChainId
  addresses: number
  /** Balances to compare; `comparisons` of them were compared. */
  balances: number
  comparisons: number
  findings: readonly Finding[]
  /** Balances, by token, that no node answered at our tip. */
  left: readonly { tokenId: TokenId; balances: number }[]
  /** Listed tokens that do not exist on the chain. */
  noTokens: readonly TokenId[]
}

/**
 * Compares every listed token on every address of ours on a chain. Unanswered balances are queried
 * again at the next tips. For the command line.
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

/** Balances that differ from the sum of their postings. */
export function auditLedger({ database }: Pick<Auditor, 'database'>): Promise<Drift[]> {
  return database.snapshot((tx) => findDrift(tx))
}
