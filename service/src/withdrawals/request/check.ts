import type { ChainId } from '@sluice/wire'
import { type Amount, parseAmount } from '../../base/amount.ts'
import { assert } from '../../base/assert.ts'
import { Outage, Refusal } from '../../base/fault.ts'
import { ALL_CHAINS, type ChainEntry } from '../../catalogue/chains.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import { watchScope } from '../../catalogue/scope.ts'
import type { TokenEntry } from '../../catalogue/tokens.ts'
import {
  canonicalTokenId,
  displayAddress,
  hasTags,
  leastPaymentOf,
  parseRecipient,
  parseTag,
  type Recipient,
  unspendableReason,
} from '../../chains/format-address.ts'
import type { Address } from '../../chains/port.ts'
import type { Affordable } from '../../gas/afford.ts'
import type { Caller } from '../../orgs/caller.ts'
import type { Organization } from '../../orgs/organization.ts'
import type { Role } from '../../orgs/user.ts'
import type { Withdrawal } from '../withdrawal.ts'
import { heldFeeFor } from './held-fee.ts'
import type { WithdrawalRequest } from './parse-request.ts'

/** The chains and tokens that the organization can use now. */
export interface Offers {
  chain(entry: ChainEntry): boolean
  token(token: TokenEntry): boolean
  /** Whether the token is enabled as soon as its contract has been checked. */
  isVerifying(token: TokenEntry): boolean
}

/** The chain, token, amount and recipient of a request. */
export interface Found {
  entry: ChainEntry
  token: TokenEntry
  amount: Amount
  recipient: Address
  /** The destination tag within the recipient's address; null for none. */
  tag: number | null
}

/** The same with the memo. */
export interface Named extends Omit<Found, 'tag'> {
  /** From the request, or from the recipient's address; null for none. */
  memo: string | null
}

/** The user who creates the withdrawal; counts as its first approval. */
export interface Initiator {
  id: string
  role: Role
}

/** A request with everything that was read for it before the transaction. */
export interface Creation {
  catalogue: Catalogue
  orgId: string
  initiator: Initiator
  /** Its credential is checked again in the commit; left out for calls within the service. */
  caller?: Caller
  request: WithdrawalRequest
  /**
   * The fee of sending it in base units of the native currency, or the outage that hides it; null
   * if the request does not name a known chain and token.
   */
  fee: bigint | Outage | null
  /**
   * Whether the recipient refuses payments without a tag, or the outage that hides it; left out if
   * no node was queried.
   */
  needsTag?: boolean | Outage
  /**
   * The refusal that a node's quote gives (`foresee`), of the recipient or of the amount; left out
   * if no node was queried.
   */
  foreseen?: Refusal | null
}

/** Everything in the database that decides about a group of requests of one organization. */
export interface Picture {
  offers: Offers
  organization: Organization
  /** Withdrawals that have one of the references, by reference. */
  taken: ReadonlyMap<string, Withdrawal>
  /** Recipients that are settlement or gas addresses of this installation, by `platformKey`. */
  platform: ReadonlySet<string>
  /** Whether the gas covers a fee, by `gasKey`; only on chains with gas wallets. */
  gas: ReadonlyMap<string, Affordable>
  /** Base units that the organization may use, by token. */
  available: ReadonlyMap<string, bigint>
  /** Base units that are not confirmed yet, by token; only on chains with long confirmations. */
  unconfirmed: ReadonlyMap<string, bigint>
}

/** A request without objections: `held` base units are held for its fee. */
export interface Accepted {
  creation: Creation
  named: Named
  held: bigint
}

/** Characters of the caller's text that a refusal repeats. */
const ECHO_LENGTH_MAX = 200

/**
 * Checks the requests of a group in the order of their arrival. Each is accepted, or gets its
 * refusal or outage; null if that depends on an earlier one of the group, after which it must be
 * repeated alone.
 */
export function checkGroup(
  group: readonly Creation[],
  picture: Picture,
): (Accepted | { refusal: Refusal | Outage } | null)[] {
  const references = new Set<string>()
  const spent = new Map<string, bigint>()
  return group.map((creation) => {
    const { reference } = creation.request
    if (references.has(reference)) return null
    references.add(reference)
    try {
      const named = checkRequest(creation, picture)
      const { id } = named.token
      const before = spent.get(id) ?? 0n
      const held = heldFor(named.entry, creation.fee)
      const shortage = shortageOf({ creation, named, held }, picture, before)
      if (shortage !== null) return before > 0n ? null : { refusal: shortage }
      spent.set(id, before + named.amount + held)
      return { creation, named, held }
    } catch (error) {
      if (error instanceof Refusal || error instanceof Outage) return { refusal: error }
      throw error
    }
  })
}

/**
 * Checks a request for an estimate. Throws the refusal that `checkGroup` returns for it; an outage
 * of the fee or of the tag is not a refusal.
 */
export function checkEstimate(creation: Creation, picture: Picture): Accepted {
  const { needsTag, fee } = creation
  const answered = needsTag instanceof Outage ? { ...creation, needsTag: false } : creation
  const named = checkRequest(answered, picture)
  const accepted = { creation, named, held: heldFor(named.entry, fee) }
  const shortage = shortageOf(accepted, picture, 0n)
  if (shortage instanceof Refusal) throw shortage
  return accepted
}

/**
 * Finds what a request names. Refuses, in the order of decisions, 4, with DUPLICATE_REFERENCE, as
 * `checkNamed` does, with BAD_REQUEST (memo), MISSING_DESTINATION_TAG, and as `checkLimits` does;
 * throws an Outage if it is unknown whether the recipient needs a tag.
 */
function checkRequest(creation: Creation, picture: Picture): Named {
  const { catalogue, request, needsTag = false, foreseen = null } = creation
  const duplicate = duplicateOf(picture.taken.get(request.reference), request)
  if (duplicate !== null) throw duplicate
  const found = checkNamed(request, { catalogue, offers: picture.offers })
  if (picture.platform.has(platformKey(watchScope(found.entry), found.recipient)))
    throw wrongRecipient(found.entry, 'own', 'The recipient is an address of this service itself.')
  const named = withMemo(found, request)
  if (named.memo === null) refuseUntagged(named, needsTag)
  if (foreseen?.code === 'INVALID_RECIPIENT_ADDRESS') throw foreseen
  checkLimits(named)
  if (foreseen !== null) throw foreseen
  return named
}

/** The refusal of a used reference; a withdrawal keeps it after any outcome (A05). */
export function duplicateOf(
  existing: Withdrawal | undefined,
  request: WithdrawalRequest,
): Refusal | null {
  if (existing === undefined) return null
  return new Refusal('DUPLICATE_REFERENCE', {
    existingWithdrawalId: existing.id,
    sameParameters: isSame(existing, request),
  })
}

/**
 * INSUFFICIENT_BALANCE, INSUFFICIENT_CONFIRMED_BALANCE or INSUFFICIENT_GAS, or the outage that
 * hides the fee; null if the organization can pay. `spent` base units go to earlier requests of the
 * group.
 */
function shortageOf(
  { creation: { catalogue, fee }, named: { entry, token, amount }, held }: Accepted,
  picture: Picture,
  spent: bigint,
): Refusal | Outage | null {
  const available = (picture.available.get(token.id) ?? 0n) - spent
  const unconfirmed = picture.unconfirmed.get(token.id) ?? 0n
  const required = amount + held
  if (available < required) return refusalOfShort(entry.id, { available, unconfirmed }, required)
  if (fee instanceof Outage) return fee
  if (!entry.hasGasWallets) return null
  assert(fee !== null, 'the fee of a withdrawal was not read', { chainId: entry.id })
  const gas = picture.gas.get(gasKey(entry.id, fee))
  assert(gas !== undefined, 'the gas for a fee was not read', { chainId: entry.id })
  if (gas.ok) return null
  return new Refusal('INSUFFICIENT_GAS', {
    chainId: entry.id,
    gasWalletBalance: gas.gasWalletBalance.toString(),
    estimatedGasNeeded: gas.estimatedGasNeeded.toString(),
    nativeToken: catalogue.nativeToken(entry.id).symbol,
  })
}

/**
 * Finds what a request names. Refuses, in this order (decisions, 4), with INVALID_CHAIN,
 * CHAIN_NOT_ENABLED, INVALID_TOKEN, INVALID_TOKEN_CHAIN, TOKEN_NOT_ENABLED, INVALID_AMOUNT and
 * INVALID_RECIPIENT_ADDRESS.
 */
function checkNamed(
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

/**
 * Refuses with BAD_REQUEST a memo that is not a tag on chains with tags, or not the recipient's.
 */
function withMemo({ tag, ...found }: Found, request: WithdrawalRequest): Named {
  return { ...found, memo: checkMemo(found.entry, request.memo, tag) }
}

/**
 * Refuses with WITHDRAWAL_BELOW_MINIMUM, also below what nodes relay to such a recipient, and
 * WITHDRAWAL_ABOVE_MAXIMUM.
 */
function checkLimits({ entry, token, amount, recipient }: Omit<Named, 'memo'>): void {
  const { minimumAmount, maximumWithdrawalAmount: maximum } = token
  const least = leastPaymentOf(entry.id, recipient)
  const minimum = minimumAmount > least ? minimumAmount : least
  const provided = amount.toString()
  if (amount < minimum)
    throw new Refusal('WITHDRAWAL_BELOW_MINIMUM', { provided, minimum: minimum.toString() })
  if (maximum !== null && amount > maximum)
    throw new Refusal('WITHDRAWAL_ABOVE_MAXIMUM', { provided, maximum: maximum.toString() })
}

/** The refusal of a recipient. It does not repeat the text, which may be a secret. */
function wrongRecipient(entry: ChainEntry, reason: string, says: string): Refusal {
  return new Refusal('INVALID_RECIPIENT_ADDRESS', { chainId: entry.id, reason }, says)
}

/** Base units of a token that an organization can use, and will be able to use. */
export interface Standing {
  available: bigint
  /** Zero on chains whose confirmations take seconds. */
  unconfirmed: bigint
}

/**
 * The refusal of an amount that is not available, in base units. INSUFFICIENT_CONFIRMED_BALANCE if
 * unconfirmed payments would cover it.
 */
export function refusalOfShort(
  chainId: ChainId,
  { available, unconfirmed }: Standing,
  required: bigint,
): Refusal {
  const total = available + unconfirmed
  if (unconfirmed <= 0n || total < required) return insufficient(available, required)
  return new Refusal('INSUFFICIENT_CONFIRMED_BALANCE', {
    chainId,
    totalBalance: total.toString(),
    confirmedBalance: available.toString(),
    unconfirmedBalance: unconfirmed.toString(),
  })
}

/** Base units held for the fee of a withdrawal; zero if gas wallets pay or the fee is unknown. */
export function heldFor(entry: ChainEntry, fee: Creation['fee']): bigint {
  return fee instanceof Outage ? 0n : heldFeeFor(entry, fee)
}

export function platformKey(scope: string, address: Address): string {
  return `${scope} ${address}`
}

export function gasKey(chainId: string, fee: bigint): string {
  return `${chainId} ${fee}`
}

function isSame(existing: Withdrawal, request: WithdrawalRequest): boolean {
  return (
    existing.chainId === request.chainId &&
    existing.tokenId === canonicalTokenId(request.tokenId) &&
    existing.amount.toString() === request.amount &&
    isSameRecipient(existing, request) &&
    existing.internalNote === request.internalNote &&
    existing.externalUserId === request.externalUserId
  )
}

/** An X-address equals its parts, unless its tag and the memo differ. */
function isSameRecipient({ chainId, recipient, memo }: Withdrawal, asked: WithdrawalRequest) {
  const [entry] = ALL_CHAINS.filter(({ id }) => id === chainId)
  const named = entry === undefined ? null : parseRecipient(entry, asked.recipient)
  const tag = named?.tag ?? null
  const within = tag === null ? asked.memo : String(tag)
  return named?.address === recipient && within === memo && (asked.memo ?? within) === memo
}

/** A payment without a tag would fail on the chain and cost its fee (X12). */
function refuseUntagged({ entry, recipient }: Named, needsTag: boolean | Outage): void {
  if (needsTag instanceof Outage) throw needsTag
  if (!needsTag) return
  const details = { chainId: entry.id, toAddress: displayAddress(entry.id, recipient) }
  throw new Refusal('MISSING_DESTINATION_TAG', details)
}

function insufficient(available: bigint, required: bigint): Refusal {
  const details = { available: available.toString(), required: required.toString() }
  return new Refusal('INSUFFICIENT_BALANCE', details)
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

/** The temporary refusal of a token whose contract has not been checked yet. */
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
 * On chains with tags the memo must be a tag, and equal to that within the address, if any (X08).
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
