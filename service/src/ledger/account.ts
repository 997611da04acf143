import type { ChainId, TokenId } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import type { Millis } from '../base/clock.ts'
import type { Address } from '../chains/port.ts'

/** A place is a balance on the chain. It names the address that holds it. */
export const PLACE_KINDS = ['deposits', 'settlement', 'gas'] as const
export type PlaceKind = (typeof PLACE_KINDS)[number]
export type Place = `place:${PlaceKind}:${string}`

/** A claim says to whom an amount belongs and how it may be used. */
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

/** Debits increase places, credits increase claims, so that their sums stay equal. */
export type LedgerAccount = Place | Claim

export function place(kind: PlaceKind, address: Address): Place {
  assert(/^[^:]+$/.test(address), 'an address that cannot be a place', { kind, address })
  return `place:${kind}:${address}`
}

export function isPlace(account: LedgerAccount): account is Place {
  return account.startsWith('place:')
}

export function parsePlace(account: Place): { kind: PlaceKind; address: Address } {
  const [, name, address] = account.split(':')
  const kind = PLACE_KINDS.find((one) => one === name)
  assert(kind && address, 'a malformed place', { account })
  return { kind, address: address as Address }
}

/** Identifies a balance: organization, chain, token and ledger account. */
export interface BalanceKey {
  orgId: string
  chainId: ChainId
  tokenId: TokenId
  account: LedgerAccount
}

/** Selects balances by any part of their key. */
export type BalanceFilter = Partial<BalanceKey>

export interface Balance extends BalanceKey {
  /** Base units; negative only for `available` and `gas`, after a reversal. */
  amount: bigint
  /** A reversal made it negative: until it is covered, only another reversal may lower it. */
  overdrawn: boolean
  updatedAt: Millis
}
