import type { ChainId } from '@sluice/wire'
import type { Millis } from '../base/clock.ts'
import { Refusal } from '../base/fault.ts'
import type { Address } from '../chains/port.ts'

/** The deposit address of one end user on one chain (section 2.4). */
export interface Account {
  orgId: string
  id: string
  chainId: ChainId
  externalUserId: string
  /** As people read it. */
  address: string
  /** The destination tag (XRPL); null on other chains. */
  destinationTag: number | null
  createdAt: Millis
  updatedAt: Millis
}

/** The key of an account: unique together. */
export interface AccountOwner {
  orgId: string
  chainId: ChainId
  externalUserId: string
}

/** Filters of accounts; an omitted field matches all. */
export interface AccountFilter {
  externalUserId?: string
  chainId?: ChainId
  /** Any of these: what a caller writes without a chain may be an address of several. */
  addresses?: readonly { chainId: ChainId; address: Address }[]
  /** Of the accounts that share an address, the one with this tag (XRPL). */
  destinationTag?: number
}

/** At most `limit` accounts after the one named, newest first. */
export interface AccountPage {
  orgId: string
  filter: AccountFilter
  limit: number
  after: { createdAt: Millis; id: string } | null
}

/** An organization's own name of an end user; two are the same where every code point is. */
export type ExternalUserId = string & { readonly brand: 'ExternalUserId' }

const USER_ID_LENGTH_MAX = 255
/** Controls, and halves of surrogate pairs, which no encoding can carry. */
const NOT_IN_A_USER_ID = /[\p{Cc}\p{Cs}]/u

/**
 * Parses an external user id: 1 to 255 Unicode code points, not only white space, without control
 * characters. It is neither trimmed nor normalized, so look-alikes are different users. Refuses
 * with INVALID_USER_ID.
 */
export function parseExternalUserId(text: string): ExternalUserId {
  const { length } = Array.from(text)
  if (length > USER_ID_LENGTH_MAX) {
    throw new Refusal('INVALID_USER_ID', { length, maximum: USER_ID_LENGTH_MAX })
  }
  if (text.trim() === '') throw new Refusal('INVALID_USER_ID', { reason: 'empty' })
  if (NOT_IN_A_USER_ID.test(text)) throw new Refusal('INVALID_USER_ID', { reason: 'control' })
  return text as ExternalUserId
}
