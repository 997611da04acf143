import { type Amount, parseAmount } from '../base/amount.ts'
import { Refusal } from '../base/fault.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { Catalogue } from '../catalogue/find.ts'
import type { TokenEntry } from '../catalogue/tokens.ts'
import { displayAddress, isBurnt, parseAddress } from '../chains/format-address.ts'
import type { Address } from '../chains/port.ts'
import type { WithdrawalRequest } from './parse-request.ts'

/** What the organization can use now. */
export interface Offers {
  chain(entry: ChainEntry): boolean
  token(token: TokenEntry): boolean
}

/** What a request names, found. */
export interface Named {
  entry: ChainEntry
  token: TokenEntry
  amount: Amount
  recipient: Address
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
): Named {
  const entry = findChain(catalogue, request.chainId)
  if (!offers.chain(entry)) throw new Refusal('CHAIN_NOT_ENABLED', { chainId: entry.id })
  const token = findToken(catalogue, request.tokenId)
  checkToken(offers, entry, token)
  const amount = parseAmount(request.amount)
  return { entry, token, amount, recipient: checkRecipient(catalogue, entry, request.recipient) }
}

/** Refuses with WITHDRAWAL_BELOW_MINIMUM and WITHDRAWAL_ABOVE_MAXIMUM. */
export function checkLimits({ token, amount }: Pick<Named, 'token' | 'amount'>): void {
  const { minimumAmount: minimum, maximumWithdrawalAmount: maximum } = token
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
  if (!offers.token(token)) throw new Refusal('TOKEN_NOT_ENABLED', { tokenId })
}

function checkRecipient(catalogue: Catalogue, entry: ChainEntry, text: string): Address {
  const address = parseAddress(entry.id, text)
  if (address === null)
    throw wrongRecipient(entry, 'malformed', 'The recipient is not a valid address of the chain.')
  if (isBurnt(entry.id, address))
    throw wrongRecipient(entry, 'zero', 'Nobody has the key of this recipient.')
  const shown = displayAddress(entry.id, address)
  if (catalogue.tokensOf(entry.id).some((token) => token.address === shown))
    throw wrongRecipient(entry, 'token-contract', 'The recipient is the contract of a token.')
  return address
}
