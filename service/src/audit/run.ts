import { type WatchedAddress, listRecentWatched, listWatched } from '../accounts/list-addresses.ts'
import { watchScope } from '../catalogue/scope.ts'
import { recentlyMoved } from '../ledger/placed-on.ts'
import type { Drift } from '../ledger/posting.ts'
import { findDrift } from '../ledger/recompute.ts'
import type { Address } from '../chains/port.ts'
import type { Millis } from '../base/clock.ts'
import type { Auditor } from './auditor.ts'
import { compareAddresses } from './compare.ts'
import type { Comparison, Finding } from './finding.ts'
import { recordComparisons } from './settle.ts'

/** Addresses in one picture of the ledger. */
const BATCH = 500
/**
 * Addresses that a cycle of the loop looks at besides the recent ones, going round all of them in
 * time.
 */
const ROUND = 100
const RECENT_MS = 24 * 60 * 60 * 1000

/** What a full audit of a chain found. */
export interface ChainReport {
  chainId: string
  addresses: number
  comparisons: number
  findings: readonly Finding[]
}

/** Compares every address of ours on a chain, every listed token of it. For the command line. */
export async function auditChain(auditor: Auditor): Promise<ChainReport> {
  const findings: Finding[] = []
  let addresses = 0
  let comparisons = 0
  for await (const batch of watchedBatches(auditor)) {
    const compared = await compareAddresses(auditor, { addresses: batch, tokens: 'all' })
    findings.push(...(await recordComparisons(auditor.database, compared)))
    addresses += batch.length
    comparisons += compared.length
  }
  return { chainId: auditor.entry.id, addresses, comparisons, findings }
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

/**
 * One cycle of the loop: the addresses that were issued or paid lately, in every listed token, and
 * the next few of all others. `after` goes round: hand the answer's in again.
 */
export async function auditCycle(
  auditor: Auditor,
  given: { now: Millis; after: Address | null },
): Promise<{ compared: readonly Comparison[]; after: Address | null }> {
  const scope = watchScope(auditor.entry)
  const since = given.now - RECENT_MS
  const { issued, moved, round } = await auditor.database.transaction(async (tx) => ({
    issued: await listRecentWatched(tx, { scope, since, limit: BATCH }),
    moved: await recentlyMoved(tx, { chainId: auditor.entry.id, since, limit: BATCH }),
    round: await listWatched(tx, { scope, after: given.after, limit: ROUND }),
  }))
  const recent = [...new Map([...issued, ...moved].map((one) => [one.address, one])).values()]
  const seen = new Set(recent.map(({ address }) => address))
  const others = round.filter(({ address }) => !seen.has(address))
  const compared = [
    ...(await compareAddresses(auditor, { addresses: recent, tokens: 'all' })),
    ...(await compareAddresses(auditor, { addresses: others, tokens: 'known' })),
  ]
  await recordComparisons(auditor.database, compared)
  const last = round.at(-1)?.address ?? null
  return { compared, after: round.length < ROUND ? null : last }
}
