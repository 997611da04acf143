import type { ChainId, TokenId } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import { PLACE_KINDS, isPlace, parsePlace, place } from './account.ts'
import {
  selectMovedPlaces,
  selectPlacedTokens,
  selectPlaces,
  selectPlacesAbove,
} from './place-rows.ts'

/** An address that the ledger knows of, and whose it is. */
export interface OwnedAddress {
  orgId: string
  address: Address
}

/**
 * Base units that the ledger places on each of these addresses, by token; addresses without a row
 * are left out. With `height`: what it places there at the end of that block, which is the present
 * amount less the postings of later blocks. Postings without a block count at every height.
 */
export async function placedOn(
  tx: Tx,
  given: { chainId: ChainId; addresses: readonly OwnedAddress[]; height?: number },
): Promise<Map<Address, Map<TokenId, bigint>>> {
  const { chainId, height } = given
  const accounts = given.addresses.flatMap(({ address }) =>
    PLACE_KINDS.map((kind) => place(kind, address)),
  )
  const orgIds = [...new Set(given.addresses.map(({ orgId }) => orgId))]
  const whose = { chainId, orgIds, accounts }
  const now = await selectPlaces(tx, whose)
  const later = height === undefined ? [] : await selectPlacesAbove(tx, { ...whose, height })
  const rows = [...now, ...later.map((row) => ({ ...row, amount: -row.amount }))]
  const placed = new Map<Address, Map<TokenId, bigint>>()
  for (const { account, tokenId, amount } of rows) {
    if (!isPlace(account)) continue
    const { address } = parsePlace(account)
    const tokens = placed.get(address) ?? new Map<TokenId, bigint>()
    tokens.set(tokenId, (tokens.get(tokenId) ?? 0n) + amount)
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
