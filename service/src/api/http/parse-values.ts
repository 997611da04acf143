import { type ChainId, type TokenId, parseTokenId } from '@sluice/wire'
import { type Millis, fromIso, iso } from '../../base/clock.ts'
import { Refusal } from '../../base/fault.ts'
import { ALL_CHAINS, type ChainEntry } from '../../catalogue/chains.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import type { TokenEntry } from '../../catalogue/tokens.ts'
import { canonicalTokenId, hashOn } from '../../chains/format-address.ts'
import { badRequest } from './faults.ts'

/** The last millisecond that is written with four digits of year. */
export const TIME_MAX: Millis = 253_402_300_799_999

/** Characters of a value that a response repeats. */
const ECHO_LENGTH_MAX = 100
const TOKEN_ECHO_MAX = 200
const TIME_SHAPE =
  /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/
const MONTH_SHAPE = /^20\d{2}-(?:0[1-9]|1[0-2])$/
const HASH_SHAPE = /^(?:0[xX])?[0-9a-fA-F]{64}$/

/** The chain of an id. Refuses with INVALID_CHAIN. */
export function parseChain(catalogue: Catalogue, id: string): ChainEntry {
  const entry = catalogue.chain(id)
  if (entry !== null) return entry
  throw new Refusal('INVALID_CHAIN', {
    providedChainId: id.slice(0, ECHO_LENGTH_MAX),
    supportedChains: catalogue.chains.map((chain) => chain.id),
  })
}

/** The token of an id, in any spelling with a valid checksum. Refuses with INVALID_TOKEN. */
export function parseToken(catalogue: Catalogue, id: string): TokenEntry {
  const token = catalogue.token(id)
  if (token === null) throw new Refusal('INVALID_TOKEN', { tokenId: id.slice(0, TOKEN_ECHO_MAX) })
  return token
}

/** A chain to filter by. Refuses with BAD_REQUEST, as every bad filter (decisions, 9). */
export function parseChainFilter(catalogue: Catalogue, id: string): ChainId {
  const entry = catalogue.chain(id)
  if (entry !== null) return entry.id
  throw badRequest(
    'chainId',
    '`chainId` is unknown. details.supportedChains lists the known chains.',
    {
      providedChainId: id.slice(0, ECHO_LENGTH_MAX),
      supportedChains: catalogue.chains.map((chain) => chain.id),
    },
  )
}

/**
 * A token to filter by, in any spelling with a valid checksum. Includes tokens that were removed
 * from the configuration, because their deposits stay. Refuses with BAD_REQUEST.
 */
export function parseTokenFilter(catalogue: Catalogue, id: string): TokenId {
  const known = catalogue.token(id)?.id ?? canonicalTokenId(id)
  const chainId = known === null ? undefined : parseTokenId(known)?.chainId
  if (known !== null && chainId !== undefined && catalogue.chain(chainId) !== null) return known
  throw badRequest('tokenId', '`tokenId` must have the form <chain id>/<kind>:<reference>.')
}

/** Whether a text is a transaction's hash: 64 hexadecimal digits, with or without 0x. */
export function isTransactionHash(text: string): boolean {
  return HASH_SHAPE.test(text)
}

/** A transaction hash in the spellings of all chains, also of those that have no nodes. */
export function hashesOf(text: string): string[] {
  return [...new Set(ALL_CHAINS.map(({ id }) => hashOn(id, text)))]
}

/** A transaction hash, as chains write it. Refuses with BAD_REQUEST. */
export function parseHash(text: string): string {
  if (!isTransactionHash(text))
    throw badRequest('txnHash', '`txnHash` must be 64 hexadecimal digits, with or without 0x.')
  return text.toLowerCase().startsWith('0x') ? text.toLowerCase() : text
}

/** A month of this century. Refuses with BAD_REQUEST. */
export function parseMonth(text: string): string {
  if (MONTH_SHAPE.test(text)) return text
  throw badRequest('month', '`month` must have the form YYYY-MM, such as 2026-01.')
}

/** ISO 8601, a date alone being its midnight in UTC. Refuses with BAD_REQUEST. */
export function parseTime(field: string, received: string): Millis {
  // An unescaped plus of a time zone arrives as a space.
  const text = received.replace(/ (?=\d{2}:\d{2}$)/, '+')
  const date = TIME_SHAPE.exec(text)?.[1]
  const at = date === undefined ? Number.NaN : fromIso(text)
  // Date.parse reads the 30th of February as the 1st of March.
  const isDay = date !== undefined && iso(fromIso(date) || 0).startsWith(date)
  if (Number.isNaN(at) || !isDay)
    throw badRequest(
      field,
      `\`${field}\` must be a time in ISO 8601, such as 2026-01-31T00:00:00.000Z.`,
    )
  return Math.min(Math.max(at, 0), TIME_MAX)
}
