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

/** Addresses, or balances, in one picture of the ledger. */
const BATCH = 500
/**
 * Addresses that a cycle of the loop looks at besides the recent ones, going round all of them in
 * time.
 */
const ROUND = 100
const RECENT_MS = 24 * 60 * 60 * 1000

/** How far the loop of a chain has come. */
export interface Place {
  /** The address after which the round goes on; null for its beginning. */
  after: Address | null
  /** What the cycle before wanted to compare and no node told of, to be asked first. */
  left: readonly Expectation[]
}

export const BEGINNING: Place = { after: null, left: [] }

/**
 * One cycle of the loop: what the one before could not compare, deposits that wait for it, the
 * addresses that were issued or paid lately, in every listed token, and the next few of all others.
 * `after` and `left` go round: hand the answer's in again. Nodes that know balances of the moment
 * alone answer a part of it in each cycle; what was left is asked first, so that every balance is
 * compared in the end. Deposits that were held for want of a witness, and that are covered by what
 * is there, are let go (engineering, 10).
 */
export async function auditCycle(
  auditor: Auditor,
  given: Place & { now: Millis },
): Promise<Place & { compared: readonly Comparison[] }> {
  const { held, recent, round } = await readWanted(auditor, given)
  const compared = new Map<string, Comparison>()
  const left = new Map<string, Expectation>()
  const besides = new Set<string>()
  const questions: Question[] = [
    ...batchesOf(given.left).map(questionOf),
    questionOf(held),
    { addresses: recent, tokens: 'all' },
    { addresses: round ?? [], tokens: 'known' },
  ]
  for (const question of questions) {
    const answer = await compareAddresses(auditor, { ...question, besides })
    await recordComparisons(auditor.database, answer.comparisons)
    await clearDeposits(auditor, { held, ...answer })
    for (const one of answer.comparisons) compared.set(findingSubject(one), one)
    for (const one of answer.left) left.set(findingSubject(one), one)
    for (const key of [...compared.keys(), ...left.keys()]) besides.add(key)
  }
  return {
    compared: [...compared.values()],
    after: round === null ? given.after : afterRound(round),
    left: await stillWanted(auditor, {
      left: [...left.values()],
      compared: [...compared.values()],
    }),
  }
}

interface Wanted {
  /** Deposits that the audit may let go. */
  held: readonly Deposit[]
  recent: readonly WatchedAddress[]
  /** Null where too much is left already: then the round waits. */
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
    const recent = [...new Map([...issued, ...moved].map((one) => [one.address, one])).values()]
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

/**
 * Of a token of which not one balance was told it is asked whether it tells any: what can never be
 * told must not stand before the others for ever.
 */
async function stillWanted(
  auditor: Auditor,
  { left, compared }: { left: readonly Expectation[]; compared: readonly Comparison[] },
): Promise<readonly Expectation[]> {
  const told = new Set(compared.map(({ tokenId }) => tokenId))
  const silent = left.filter(({ tokenId }) => !told.has(tokenId))
  const mute = await muteTokens(auditor, silent)
  return left.filter(({ tokenId, expected }) => expected !== 0n || !mute.has(tokenId))
}
