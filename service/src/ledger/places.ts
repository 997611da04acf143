import type { ChainId, TokenId } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'
import type { Address } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import { type PlaceKind, isPlace, parsePlace, place } from './account.ts'
import {
  type PlaceRow,
  selectFullest,
  selectHoldingPlaces,
  selectLeftBehind,
  selectPlacesAfter,
} from './place-rows.ts'

/** The ledger balance of an address in a token. */
export interface Holding {
  address: Address
  /** Base units. */
  amount: bigint
  /** When the amount last changed. */
  since: Millis
}

/** The places of one kind, organization and token. */
export interface PlaceQuestion {
  orgId: string
  chainId: ChainId
  tokenId: TokenId
  kind: PlaceKind
}

/** Lists places, also empty ones, in the order of their addresses, after an address. */
export async function listPlaces(
  tx: Tx,
  question: PlaceQuestion & { after: Address | null; limit: number },
): Promise<Holding[]> {
  const prefix = `place:${question.kind}:`
  const after = question.after === null ? '' : place(question.kind, question.after)
  return holdings(await selectPlacesAfter(tx, { ...question, prefix, after }))
}

/** Lists the places with the largest balances. */
export async function fullestPlaces(
  tx: Tx,
  question: PlaceQuestion & { limit: number },
): Promise<Holding[]> {
  return holdings(await selectFullest(tx, { ...question, prefix: `place:${question.kind}:` }))
}

/** Lists addresses of any organization that hold one of these tokens, at most `limit`. */
export async function holdersAmong(
  tx: Tx,
  question: { chainId: ChainId; tokenIds: readonly TokenId[]; limit: number },
): Promise<Address[]> {
  const accounts = await selectHoldingPlaces(tx, question)
  return accounts.flatMap((account) => (isPlace(account) ? [parsePlace(account).address] : []))
}

/**
 * Base units of the native currency that our own transactions left at places that received a top-up
 * or paid a fee and hold at most `most`. Reads every place of the kind.
 */
export function leftBehind(tx: Tx, question: PlaceQuestion & { most: bigint }): Promise<bigint> {
  return selectLeftBehind(tx, { ...question, prefix: `place:${question.kind}:` })
}

function holdings(rows: readonly PlaceRow[]): Holding[] {
  return rows.flatMap(({ account, amount, updatedAt: since }) =>
    isPlace(account) ? [{ address: parsePlace(account).address, amount, since }] : [],
  )
}
