import type { ChainId, TokenId } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import type { Millis } from '../base/clock.ts'
import type { Address } from '../chains/port.ts'

/**
 * Where money lies, as the chain shows it. Each place names the address that holds it (engineering,
 * 1).
 */
export const PLACE_KINDS = ['deposits', 'settlement', 'gas'] as const
export type PlaceKind = (typeof PLACE_KINDS)[number]
export type Place = `place:${PlaceKind}:${string}`

/** Whose the money is, and what may be done with it. */
export const CLAIM = {
  unconfirmed: 'claim:unconfirmed',
  available: 'claim:available',
  reserved: 'claim:reserved',
  belowMinimum: 'claim:below_minimum',
  held: 'claim:held',
  unattributed: 'claim:unattributed',
  gas: 'claim:gas',
} as const
export type Claim = (typeof CLAIM)[keyof typeof CLAIM]

/**
 * One account of the ledger. Places grow by debits, claims by credits, so that their sums stay
 * equal.
 */
export type LedgerAccount = Place | Claim

/** The place that an address is. */
export function place(kind: PlaceKind, address: Address): Place {
  assert(/^[^:]+$/.test(address), 'an address that cannot be a place', { kind, address })
  return `place:${kind}:${address}`
}

/** Tells places from claims. */
export function isPlace(account: LedgerAccount): account is Place {
  return account.startsWith('place:')
}

/** The kind and the address of a place. */
export function parsePlace(account: Place): { kind: PlaceKind; address: Address } {
  const [, name, address] = account.split(':')
  const kind = PLACE_KINDS.find((one) => one === name)
  assert(kind && address, 'a place of no known form', { account })
  return { kind, address: address as Address }
}

/** Names one balance: an account of the ledger, of one organization, in one token on one chain. */
export interface BalanceKey {
  orgId: string
  chainId: ChainId
  tokenId: TokenId
  account: LedgerAccount
}

/** Which balances are meant; what is left out may be anything. */
export type BalanceFilter = Partial<BalanceKey>

/** What stands on an account. */
export interface Balance extends BalanceKey {
  /** Base units; below zero only for `available`, after a reversal. */
  amount: bigint
  /**
   * A reversal took more than there was: nothing but another reversal may take more until it is
   * made good.
   */
  overdrawn: boolean
  updatedAt: Millis
}
