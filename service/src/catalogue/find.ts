import { parseTokenId } from '@sluice/wire'
import type { ChainId, TokenSummary } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import { canonicalTokenId } from '../chains/format-address.ts'
import type { AddressType } from '../chains/port.ts'
import { ALL_CHAINS, CHAINS, UNLISTED_CHAINS } from './chains.ts'
import type { ChainEntry } from './chains.ts'
import { TOKENS } from './tokens.ts'
import type { TokenEntry } from './tokens.ts'

/** A chain for which the operator has named nodes. */
export interface ConfiguredChain {
  id: ChainId
  /** Overrides the catalogue's count (decisions, section 3). */
  confirmations?: number
  /**
   * False: of the catalogue's tokens only the native one counts here, besides the operator's own.
   */
  catalogueTokens?: boolean
  /** Of which type the deposit addresses of new accounts are, where the chain has several. */
  addressType?: AddressType
}

/** The chains and tokens of this installation. Everything here is fixed from start to stop. */
export interface Catalogue {
  /** Every chain of section 2.1, those without nodes too, and the unlisted ones that have some. */
  chains: readonly ChainEntry[]
  /** Every token of the catalogue, then the operator's own. */
  tokens: readonly TokenEntry[]
  /** The chain of exactly this id; null where there is none. */
  chain(id: string): ChainEntry | null
  /** The token of this id, in any spelling whose checksum is right; null where there is none. */
  token(id: string): TokenEntry | null
  tokensOf(chainId: string): readonly TokenEntry[]
  nativeToken(chainId: string): TokenEntry
  /** Whether the chain has nodes. */
  isConfigured(chainId: string): boolean
  /**
   * Blocks on top of a deposit's own before depth alone settles it; of a chain since taken out of
   * the configuration too.
   */
  required(chainId: string): number
  /** Section 2.3: the part of a token that stands inside other records. */
  summary(tokenId: string): TokenSummary
}

/** Records outlive the configuration: a chain since taken out of it counts as it is wont. */
const EVERY_CHAIN = new Map<string, ChainEntry>(ALL_CHAINS.map((entry) => [entry.id, entry]))
/** An amount without the right decimals would be another one. */
const EVERY_TOKEN = new Map<string, TokenEntry>(TOKENS.map((entry) => [entry.id, entry]))

/** Puts the product's catalogue and the operator's configuration together. */
export function openCatalogue(given: {
  chains: readonly ConfiguredChain[]
  tokens: readonly TokenEntry[]
}): Catalogue {
  const named = new Set<string>(given.chains.map(({ id }) => id))
  const configured = new Map<string, ConfiguredChain>(given.chains.map((one) => [one.id, one]))
  const entries = [...CHAINS, ...UNLISTED_CHAINS.filter(({ id }) => named.has(id))].map((entry) =>
    withAddressType(entry, configured.get(entry.id)),
  )
  const chains = new Map<string, ChainEntry>(entries.map((entry) => [entry.id, entry]))
  const ours = TOKENS.filter(
    ({ native, chainId }) =>
      chains.has(chainId) && (native || configured.get(chainId)?.catalogueTokens !== false),
  )
  const tokens = new Map<string, TokenEntry>(
    [...ours, ...given.tokens].map((entry) => [entry.id, entry]),
  )
  for (const id of configured.keys()) assert(chains.has(id), 'nodes of an unknown chain', { id })
  const tokensOf = (chain: ChainEntry) =>
    [...tokens.values()].filter((entry) => entry.chainId === chain.id)
  const byChain = new Map<string, TokenEntry[]>(entries.map((one) => [one.id, tokensOf(one)]))
  return {
    chains: entries,
    tokens: [...tokens.values()],
    chain: (id) => chains.get(id) ?? null,
    token: (id) => findToken(tokens, id),
    tokensOf: (chainId) => byChain.get(known(chains, chainId).id) ?? [],
    nativeToken: (chainId) => nativeOf(byChain, known(chains, chainId)),
    isConfigured: (chainId) => configured.has(chainId),
    required: (chainId) =>
      configured.get(chainId)?.confirmations ?? known(EVERY_CHAIN, chainId).confirmations,
    summary: (tokenId) => summarize(tokens.get(tokenId) ?? EVERY_TOKEN.get(tokenId), tokenId),
  }
}

function withAddressType(
  entry: ChainEntry,
  { addressType }: Pick<ConfiguredChain, 'addressType'> = {},
): ChainEntry {
  return addressType === undefined ? entry : { ...entry, addressType }
}

function findToken(tokens: Map<string, TokenEntry>, id: string): TokenEntry | null {
  const canonical = tokens.has(id) ? id : canonicalTokenId(id)
  return canonical === null ? null : (tokens.get(canonical) ?? null)
}

function known(chains: Map<string, ChainEntry>, chainId: string): ChainEntry {
  const entry = chains.get(chainId)
  assert(entry !== undefined, 'a chain that is not in the catalogue', { chainId })
  return entry
}

function nativeOf(byChain: Map<string, TokenEntry[]>, chain: ChainEntry): TokenEntry {
  const token = byChain.get(chain.id)?.find((entry) => entry.native)
  assert(token !== undefined, 'a chain without a native token', { chainId: chain.id })
  return token
}

/** Records outlive the configuration: a token since taken out of it still answers, by its id. */
function summarize(token: TokenEntry | undefined, tokenId: string): TokenSummary {
  if (token === undefined) return removedToken(tokenId)
  const { id, name, symbol, decimals, address } = token
  return { id, name, symbol, decimals, address }
}

function removedToken(tokenId: string): TokenSummary {
  const address = parseTokenId(tokenId)?.assetReference ?? ''
  return { id: tokenId, name: 'Token no longer configured', symbol: '?', decimals: 0, address }
}
