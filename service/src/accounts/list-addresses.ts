import type { Millis } from '../base/clock.ts'
import type { Address } from '../chains/port.ts'
import type { AddressEnds } from '../chains/format-address.ts'
import type { Tx } from '../store/database.ts'
import { type OwnSimilar, selectSimilarOwn } from './similar-rows.ts'
import { selectIssuedSince, selectWatchedAfter } from './watch-rows.ts'

/** An address that is watched, and whose it is. */
export interface WatchedAddress {
  orgId: string
  address: Address
}

/** The watched addresses of a scope in their own order, from just after one of them. */
export function listWatched(
  tx: Tx,
  query: { scope: string; after: Address | null; limit: number },
): Promise<WatchedAddress[]> {
  return selectWatchedAfter(tx, query)
}

/** The addresses of a scope issued since a time, the last first. */
export function listRecentWatched(
  tx: Tx,
  query: { scope: string; since: Millis; limit: number },
): Promise<WatchedAddress[]> {
  return selectIssuedSince(tx, query)
}

/**
 * The addresses of an organization in a scope that begin and end like an address, itself included
 * (address poisoning). Not authenticated: for warnings only.
 */
export function listSimilarOwn(
  tx: Tx,
  query: { orgId: string; scope: string; ends: AddressEnds; limit: number },
): Promise<OwnSimilar[]> {
  return selectSimilarOwn(tx, query)
}
