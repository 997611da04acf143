import { type WatchedAddress, listRecentWatched, listWatched } from '../accounts/list-addresses.ts'
import type { Millis } from '../base/clock.ts'
import { watchScope } from '../catalogue/scope.ts'
import type { Address } from '../chains/port.ts'
import type { Deposit } from '../deposits/deposit.ts'
import { listUnwitnessed } from '../deposits/unwitnessed.ts'
import { recentlyMoved } from '../ledger/placed-on.ts'
import { muteTokens, questionOf } from './ask-again.ts'
import type { Auditor } from './auditor.ts'
import { clearDeposits } from './clear.ts'
import { compareAddresses } from './compare.ts'
import type { Question } from './expectations.ts'
import { type Comparison, type Expectation, findingSubject } from './finding.ts'
import { recordComparisons } from './settle.ts'

/** Addresses, or balances, in one snapshot of the ledger. */
const BATCH = 500
/** Older addresses that a cycle compares; successive cycles go round all of them. */
const ROUND = 100
const RECENT_MS = 24 * 60 * 60 * 1000

/** Progress of the loop of a chain. */
export interface Place {
  /** Address after which the round continues; null at its beginning. */
  after: Address | null
  /** Balances that no node answered in the cycle before; queried first. */
  left: readonly Expectation[]
}

export const BEGINNING: Place = { after: null, left: [] }

/**
 * One cycle of the loop. Compares the balances left by the cycle before, those of held deposits
 * that wait for the audit, all listed tokens of recently issued or paid addresses, and the next few
 * of all other addresses. Pass the returned `after` and `left` to the next cycle: nodes that only
 * know present balances answer a part in each cycle, and every balance is compared in the end.
 * Releases held deposits that are covered (engineering, 10).
 */
export async function auditCycle(
  auditor: Auditor,
  place: Place & { now: Millis },
): Promise<Place & { compared: readonly Comparison[] }> {
  const { held, recent, round } = await readWanted(auditor, place)
  const compared = new Map<string, Comparison>()
  const left = new Map<string, Expectation>()
  const besides = new Set<string>()
  const questions: Question[] = [
    ...batchesOf(place.left).map(questionOf),
    questionOf(held),
    { addresses: recent, tokens: 'all' },
    { addresses: round ?? [], tokens: 'known' },
  ]
  for (const question of questions) {
    const answer = await compareAddresses(auditor, { ...question, besides })
    await recordComparisons(auditor.database, answer.comparisons)
    await clearDeposits(auditor, { held, ...answer })
    for (const item of answer.comparisons) compared.set(findingSubject(item), item)
    for (const item of answer.left) left.set(findingSubject(item), item)
    for (const key of [...compared.keys(), ...left.keys()]) besides.add(key)
  }
  return {
    compared: [...compared.values()],
    after: round === null ? place.after : afterRound(round),
    left: await stillWanted(auditor, {
      left: [...left.values()],
      compared: [...compared.values()],
    }),
  }
}

interface Wanted {
  /** Deposits that the audit may release. */
  held: readonly Deposit[]
  recent: readonly WatchedAddress[]
  /** Null if too many balances are left: then the round waits. */
  round: readonly WatchedAddress[] | null
}

function readWanted(
  { database, entry }: Auditor,
  { now, after, left }: Place & { now: Millis },
): Promise<Wanted> {
  const scope = watchScope(entry)
  const chainId = entry.id
  const since = now - RECENT_MS
  return database.transaction(async (tx) => {
    const held = await listUnwitnessed(tx, { chainId, limit: BATCH })
    const issued = await listRecentWatched(tx, { scope, since, limit: BATCH })
    const moved = await recentlyMoved(tx, { chainId, since, limit: BATCH })
    const recent = [
      ...new Map([...issued, ...moved].map((watched) => [watched.address, watched])).values(),
    ]
    const round = left.length < BATCH ? await listWatched(tx, { scope, after, limit: ROUND }) : null
    return { held, recent, round }
  })
}

function batchesOf(left: readonly Expectation[]): Expectation[][] {
  const batches: Expectation[][] = []
  for (let from = 0; from < left.length; from += BATCH) batches.push(left.slice(from, from + BATCH))
  return batches
}

function afterRound(round: readonly WatchedAddress[]): Address | null {
  return round.length < ROUND ? null : (round.at(-1)?.address ?? null)
}

/** Drops tokens that report no balance at all: otherwise they would delay the others forever. */
async function stillWanted(
  auditor: Auditor,
  { left, compared }: { left: readonly Expectation[]; compared: readonly Comparison[] },
): Promise<readonly Expectation[]> {
  const told = new Set(compared.map(({ tokenId }) => tokenId))
  const silent = left.filter(({ tokenId }) => !told.has(tokenId))
  const mute = await muteTokens(auditor, silent)
  return left.filter(({ tokenId, expected }) => expected !== 0n || !mute.has(tokenId))
}
