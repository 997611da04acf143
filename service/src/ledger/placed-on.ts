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

export interface OwnedAddress {
  orgId: string
  address: Address
}

/**
 * Ledger balances of addresses by token, in base units, without addresses that have no row. With
 * `height`: the balances at the end of that block, that is, the current ones minus the postings of
 * later blocks. Postings without a block count at every height.
 */
export async function placedOn(
  tx: Tx,
  query: { chainId: ChainId; addresses: readonly OwnedAddress[]; height?: number },
): Promise<Map<Address, Map<TokenId, bigint>>> {
  const { chainId, height } = query
  const accounts = query.addresses.flatMap(({ address }) =>
    PLACE_KINDS.map((kind) => place(kind, address)),
  )
  const orgIds = [...new Set(query.addresses.map(({ orgId }) => orgId))]
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

/** Addresses changed by the last `limit` postings since a time. */
export async function recentlyMoved(
  tx: Tx,
  query: { chainId: ChainId; since: Millis; limit: number },
): Promise<OwnedAddress[]> {
  const rows = await selectMovedPlaces(tx, query)
  return rows.flatMap(({ orgId, account }) =>
    isPlace(account) ? [{ orgId, address: parsePlace(account).address }] : [],
  )
}

/** The tokens of a chain with a balance at any address, except `besides`. */
export function placedTokens(
  tx: Tx,
  query: { chainId: ChainId; besides: readonly TokenId[] },
): Promise<TokenId[]> {
  return selectPlacedTokens(tx, query)
}
