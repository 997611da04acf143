import { type Amount, parseAmount } from '../../base/amount.ts'
import { Refusal } from '../../base/fault.ts'
import type { ChainEntry } from '../../catalogue/chains.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import type { TokenEntry } from '../../catalogue/tokens.ts'
import {
  displayAddress,
  hasTags,
  leastPaymentOf,
  parseRecipient,
  parseTag,
  type Recipient,
  unspendableReason,
} from '../../chains/format-address.ts'
import type { Address } from '../../chains/port.ts'
import type { WithdrawalRequest } from './parse-request.ts'

/** What the organization can use now. */
export interface Offers {
  chain(entry: ChainEntry): boolean
  token(token: TokenEntry): boolean
  /** Whether only the answer of its contract is missing before the token is enabled. */
  isVerifying(token: TokenEntry): boolean
}

/** What a request names, found. */
export interface Found {
  entry: ChainEntry
  token: TokenEntry
  amount: Amount
  recipient: Address
  /** The destination tag that the recipient's own address names; null for none. */
  tag: number | null
}

/** The same, with what is to be told to the recipient. */
export interface Named extends Omit<Found, 'tag'> {
  /** As it is asked for, or as the recipient's own address names it; null for none. */
  memo: string | null
}

/** What is repeated to a caller of what it sent. */
const ECHO_LENGTH_MAX = 200

/**
 * Finds what a request names. Refuses, in this order (decisions, 4), with INVALID_CHAIN,
 * CHAIN_NOT_ENABLED, INVALID_TOKEN, INVALID_TOKEN_CHAIN, TOKEN_NOT_ENABLED, INVALID_AMOUNT and
 * INVALID_RECIPIENT_ADDRESS.
 */
export function checkNamed(
  request: WithdrawalRequest,
  { catalogue, offers }: { catalogue: Catalogue; offers: Offers },
): Found {
  const entry = findChain(catalogue, request.chainId)
  if (!offers.chain(entry)) throw new Refusal('CHAIN_NOT_ENABLED', { chainId: entry.id })
  const token = findToken(catalogue, request.tokenId)
  checkToken(offers, entry, token)
  const amount = parseAmount(request.amount)
  const { address: recipient, tag } = checkRecipient(catalogue, entry, request.recipient)
  return { entry, token, amount, recipient, tag }
}

/** Refuses with BAD_REQUEST a memo that is no tag where there are tags, or not the recipient's. */
export function withMemo({ tag, ...found }: Found, request: WithdrawalRequest): Named {
  return { ...found, memo: checkMemo(found.entry, request.memo, tag) }
}

/**
 * Refuses with WITHDRAWAL_BELOW_MINIMUM, also of what nodes would not pass on to such a recipient,
 * and WITHDRAWAL_ABOVE_MAXIMUM.
 */
export function checkLimits({ entry, token, amount, recipient }: Omit<Named, 'memo'>): void {
  const { minimumAmount, maximumWithdrawalAmount: maximum } = token
  const least = leastPaymentOf(entry.id, recipient)
  const minimum = minimumAmount > least ? minimumAmount : least
  const provided = amount.toString()
  if (amount < minimum)
    throw new Refusal('WITHDRAWAL_BELOW_MINIMUM', { provided, minimum: minimum.toString() })
  if (maximum !== null && amount > maximum)
    throw new Refusal('WITHDRAWAL_ABOVE_MAXIMUM', { provided, maximum: maximum.toString() })
}

/** The refusal of a recipient. It is not repeated: somebody may have pasted a secret there. */
export function wrongRecipient(entry: ChainEntry, reason: string, says: string): Refusal {
  return new Refusal('INVALID_RECIPIENT_ADDRESS', { chainId: entry.id, reason }, says)
}

function findChain(catalogue: Catalogue, id: string): ChainEntry {
  const entry = catalogue.chain(id)
  if (entry !== null) return entry
  throw new Refusal('INVALID_CHAIN', {
    providedChainId: id.slice(0, ECHO_LENGTH_MAX),
    supportedChains: catalogue.chains.map((chain) => chain.id),
  })
}

function findToken(catalogue: Catalogue, tokenId: string): TokenEntry {
  const token = catalogue.token(tokenId)
  if (token === null)
    throw new Refusal('INVALID_TOKEN', { tokenId: tokenId.slice(0, ECHO_LENGTH_MAX) })
  return token
}

function checkToken(offers: Offers, { id: chainId }: ChainEntry, token: TokenEntry): void {
  const { id: tokenId, chainId: tokenChainId } = token
  if (tokenChainId !== chainId)
    throw new Refusal('INVALID_TOKEN_CHAIN', { tokenId, chainId, tokenChainId })
  if (offers.token(token)) return
  if (offers.isVerifying(token)) throw notVerified(token)
  throw new Refusal('TOKEN_NOT_ENABLED', { tokenId })
}

/** The refusal of a token whose contract has not been checked: that passes by itself. */
export function notVerified({ id: tokenId, chainId, symbol }: TokenEntry): Refusal {
  const reason = 'the contract of the token has not been checked yet'
  const says = `${symbol} is not available yet: ${reason}. Retry after the seconds in Retry-After.`
  return new Refusal('SERVICE_UNAVAILABLE', { chainId, tokenId, reason }, says)
}

function checkRecipient(catalogue: Catalogue, entry: ChainEntry, text: string): Recipient {
  const recipient = parseRecipient(entry, text)
  if (recipient === null)
    throw wrongRecipient(entry, 'malformed', 'The recipient is not a valid address of the chain.')
  const { address } = recipient
  const unspendable = unspendableReason(entry.id, address)
  if (unspendable !== null)
    throw wrongRecipient(entry, 'zero', `The recipient is an unspendable address: ${unspendable}.`)
  const shown = displayAddress(entry.id, address)
  if (catalogue.tokensOf(entry.id).some((token) => token.address === shown))
    throw wrongRecipient(entry, 'token-contract', 'The recipient is the contract of a token.')
  return recipient
}

/**
 * On chains with tags the memo is one, and must be that of the address where that names one (X08).
 * Refuses with BAD_REQUEST.
 */
function checkMemo(entry: ChainEntry, memo: string | null, named: number | null): string | null {
  if (!hasTags(entry.id) || memo === null) return named === null ? memo : String(named)
  const tag = parseTag(memo)
  const says = 'The memo must be a destination tag: a whole number from 0 to 4294967295.'
  if (tag === null) throw new Refusal('BAD_REQUEST', { field: 'memo' }, says)
  if (named === null || named === tag) return memo
  const conflict = 'The memo and the tag within the recipient differ.'
  throw new Refusal('BAD_REQUEST', { field: 'memo' }, conflict)
}
