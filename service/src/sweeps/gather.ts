import type { ChainId, TokenId } from '@sluice/wire'
import { listOwnAddresses } from '../accounts/own-address.ts'
import { type Millis, isPausing } from '../base/clock.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { readSuspended } from '../catalogue/token-check.ts'
import type { Address } from '../chains/port.ts'
import { place } from '../ledger/account.ts'
import { readBalancesOf } from '../ledger/balance.ts'
import { recentlyMoved } from '../ledger/placed-on.ts'
import { fullestPlaces, listPlaces } from '../ledger/places.ts'
import type { Tx } from '../store/database.ts'
import type { Candidate, SweepDemand } from './plan.ts'
import { selectFailures, selectOpen } from './rows.ts'
import { FAILURES_MS, pauseAfter } from './sweep.ts'
import { type Spot, spotKey, sweepableAt } from './sweepable.ts'

const RECENT_MS = 3_600_000

const RECENT_MAX = 500

const PAGE = 500

const FULLEST_MAX = 50

/** How far the round over all deposit addresses has come; one for each chain, in memory alone. */
export interface SweepRound {
  /** Which of the pairs of organization and token is looked at. */
  pair: number
  after: Address | null
}

/** A round that begins. */
export function newRound(): SweepRound {
  return { pair: 0, after: null }
}

/** A spot with money, and since when it holds just that. */
interface Holder extends Spot {
  since: Millis
}

/**
 * Addresses that may be worth sweeping: those whose balance changed in the last hour, the next page
 * of all others, and the fullest ones if a withdrawal waits. Only of organizations with a
 * settlement account and of tokens that are not suspended.
 */
export async function gatherCandidates(
  tx: Tx,
  gathering: {
    catalogue: Catalogue
    entry: ChainEntry
    round: SweepRound
    demands: readonly SweepDemand[]
  },
): Promise<Candidate[]> {
  const { catalogue, entry, demands } = gathering
  const chainId = entry.id
  const own = await listOwnAddresses(tx, { chainId })
  const orgIds = own.filter(({ purpose }) => purpose === 'settlement').map(({ orgId }) => orgId)
  const tokenIds = await tokensToSweep(tx, catalogue, chainId)
  const whole = { chainId, orgIds, tokenIds }
  const holders = [
    ...(await recentHolders(tx, whole)),
    ...(await nextPage(tx, { ...whole, round: gathering.round })),
    ...(await fullest(tx, { ...whole, demands })),
  ]
  const distinct = [...new Map(holders.map((one) => [spotKey(one), one])).values()]
  return toCandidates(tx, { catalogue, chainId, holders: distinct })
}

async function tokensToSweep(tx: Tx, catalogue: Catalogue, chainId: ChainId): Promise<TokenId[]> {
  const suspended = await readSuspended(tx)
  return catalogue
    .tokensOf(chainId)
    .map(({ id }) => id)
    .filter((id) => !suspended.has(id))
}

interface Whole {
  chainId: ChainId
  orgIds: readonly string[]
  tokenIds: readonly TokenId[]
}

async function recentHolders(tx: Tx, { chainId, orgIds, tokenIds }: Whole): Promise<Holder[]> {
  const since = tx.clock.now() - RECENT_MS
  const recent = await recentlyMoved(tx, { chainId, since, limit: RECENT_MAX })
  const keys = recent
    .filter(({ orgId }) => orgIds.includes(orgId))
    .flatMap(({ orgId, address }) =>
      tokenIds.map((tokenId) => {
        return { orgId, chainId, tokenId, account: place('deposits', address), address }
      }),
    )
  const addressOf = new Map<string, Address>(keys.map((key) => [key.account, key.address]))
  const balances = await readBalancesOf(tx, keys)
  return balances.flatMap(({ orgId, tokenId, account, amount, updatedAt }): Holder[] => {
    const address = addressOf.get(account)
    return address === undefined || amount <= 0n
      ? []
      : [{ orgId, tokenId, address, since: updatedAt }]
  })
}

/** The next places in the order of organization, token and address; then from the start again. */
async function nextPage(
  tx: Tx,
  { chainId, orgIds, tokenIds, round }: Whole & { round: SweepRound },
): Promise<Holder[]> {
  const pairs = orgIds.flatMap((orgId) => tokenIds.map((tokenId) => ({ orgId, tokenId })))
  const holders: Holder[] = []
  let looked = 0
  for (let turns = 0; turns < pairs.length && looked < PAGE; turns += 1) {
    const pair = pairs[round.pair % pairs.length]
    if (pair === undefined) break
    const limit = PAGE - looked
    const whose = { ...pair, chainId, kind: 'deposits', after: round.after, limit } as const
    const page = await listPlaces(tx, whose)
    looked += page.length
    const full = page.filter(({ amount }) => amount > 0n)
    holders.push(...full.map(({ address, since }) => ({ ...pair, address, since })))
    const isLast = page.length < limit
    round.after = isLast ? null : (page.at(-1)?.address ?? null)
    if (isLast) round.pair = (round.pair + 1) % pairs.length
  }
  return holders
}

async function fullest(
  tx: Tx,
  { chainId, orgIds, tokenIds, demands }: Whole & { demands: readonly SweepDemand[] },
): Promise<Holder[]> {
  const holders: Holder[] = []
  for (const { orgId, tokenId } of demands) {
    if (!orgIds.includes(orgId) || !tokenIds.includes(tokenId)) continue
    const whose = { orgId, chainId, tokenId, kind: 'deposits', limit: FULLEST_MAX } as const
    const places = await fullestPlaces(tx, whose)
    holders.push(...places.map(({ address, since }) => ({ orgId, tokenId, address, since })))
  }
  return holders
}

async function toCandidates(
  tx: Tx,
  {
    catalogue,
    chainId,
    holders,
  }: { catalogue: Catalogue; chainId: ChainId; holders: readonly Holder[] },
): Promise<Candidate[]> {
  const addresses = [...new Set(holders.map(({ address }) => address))]
  const now = tx.clock.now()
  const sweepable = await sweepableAt(tx, { chainId, spots: holders })
  const open = await selectOpen(tx, { chainId, addresses })
  const resting = await restingSpots(tx, { chainId, addresses, now })
  const native = catalogue.nativeToken(chainId).id
  const busy = new Set([...open.map(spotKey), ...resting])
  const busyAddresses = new Set(open.map(({ address }) => address))
  return holders.map((holder) => {
    const { orgId, address, tokenId, since } = holder
    const isNative = tokenId === native
    return {
      orgId,
      address,
      tokenId,
      isNative,
      sweepable: sweepable.get(spotKey(holder)) ?? 0n,
      untouchedMs: now - since,
      isBusy: busy.has(spotKey(holder)) || (isNative && busyAddresses.has(address)),
    }
  })
}

/** Spots whose sweeps failed lately, and that are left alone for a while. */
async function restingSpots(
  tx: Tx,
  { chainId, addresses, now }: { chainId: ChainId; addresses: readonly Address[]; now: Millis },
): Promise<string[]> {
  const since = now - FAILURES_MS
  const failed = await selectFailures(tx, { chainId, addresses, since })
  return failed
    .filter(({ failures, lastAt }) => isPausing(now, lastAt, pauseAfter(failures)))
    .map((one) => spotKey(one))
}
