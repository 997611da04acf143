import type { ChainId, TokenId } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import { PLACE_KINDS, isPlace, parsePlace, place } from './account.ts'
import { selectMovedPlaces, selectPlacedTokens, selectPlaces } from './place-rows.ts'

/** An address that the ledger knows of, and whose it is. */
export interface OwnedAddress {
  orgId: string
  address: Address
}

/**
 * Base units that the ledger places on each of these addresses, by token; addresses without a row
 * are left out.
 */
export async function placedOn(
  tx: Tx,
  given: { chainId: ChainId; addresses: readonly OwnedAddress[] },
): Promise<Map<Address, Map<TokenId, bigint>>> {
  const accounts = given.addresses.flatMap(({ address }) =>
    PLACE_KINDS.map((kind) => place(kind, address)),
  )
  const orgIds = [...new Set(given.addresses.map(({ orgId }) => orgId))]
  const placed = new Map<Address, Map<TokenId, bigint>>()
  for (const row of await selectPlaces(tx, { chainId: given.chainId, orgIds, accounts })) {
    if (!isPlace(row.account)) continue
    const { address } = parsePlace(row.account)
    const tokens = placed.get(address) ?? new Map<TokenId, bigint>()
    tokens.set(row.tokenId, (tokens.get(row.tokenId) ?? 0n) + row.amount)
    placed.set(address, tokens)
  }
  return placed
}

/** Addresses whose holdings changed since a time, by the last `limit` postings that changed any. */
export async function recentlyMoved(
  tx: Tx,
  given: { chainId: ChainId; since: Millis; limit: number },
): Promise<OwnedAddress[]> {
  const rows = await selectMovedPlaces(tx, given)
  return rows.flatMap(({ orgId, account }) =>
    isPlace(account) ? [{ orgId, address: parsePlace(account).address }] : [],
  )
}

/** The tokens of a chain of which the ledger places something anywhere, besides these. */
export function placedTokens(
  tx: Tx,
  given: { chainId: ChainId; besides: readonly TokenId[] },
): Promise<TokenId[]> {
  return selectPlacedTokens(tx, given)
}
