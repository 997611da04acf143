import { parseTokenId } from '@sluice/wire'
import type { ChainId, TokenSummary } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import { canonicalTokenId } from '../chains/format-address.ts'
import type { AddressType } from '../chains/port.ts'
import { ALL_CHAINS, CHAINS, UNLISTED_CHAINS } from './chains.ts'
import type { ChainEntry, Explorer } from './chains.ts'
import { TOKENS } from './tokens.ts'
import type { TokenEntry } from './tokens.ts'

/** A chain for which the operator has named nodes. */
export interface ConfiguredChain {
  id: ChainId
  /** Overrides the catalogue's count (decisions, section 3). */
  confirmations?: number
  /** False: only the native currency and the operator's own tokens are offered. */
  catalogueTokens?: boolean
  /** Type of the deposit addresses of new accounts, on chains that have several. */
  addressType?: AddressType
  /** Overrides the catalogue's block explorer; null: no links. */
  explorer?: Explorer | null
}

/** The chains and tokens of this installation; constant while the process runs. */
export interface Catalogue {
  /** Every chain of section 2.1, and the unlisted chains that have nodes. */
  chains: readonly ChainEntry[]
  /** Tokens of the catalogue, then the operator's own. */
  tokens: readonly TokenEntry[]
  /** The chain with exactly this id; null if unknown. */
  chain(id: string): ChainEntry | null
  /** The token with this id, in any spelling with a valid checksum; null if unknown. */
  token(id: string): TokenEntry | null
  tokensOf(chainId: string): readonly TokenEntry[]
  nativeToken(chainId: string): TokenEntry
  /** Whether the chain has nodes. */
  isConfigured(chainId: string): boolean
  /** Blocks on top before depth settles a deposit, also on a chain that is no longer configured. */
  required(chainId: string): number
  /** The part of a token that is included in other records (section 2.3). */
  summary(tokenId: string): TokenSummary
  /** Decimals of a token, also of one that is no longer configured; null if unknown. */
  decimals(tokenId: string): number | null
}

/** Records outlive the configuration: a chain removed from it keeps its default. */
const EVERY_CHAIN = new Map<string, ChainEntry>(ALL_CHAINS.map((entry) => [entry.id, entry]))
/** An amount needs the decimals of its token also when that is no longer configured. */
const EVERY_TOKEN = new Map<string, TokenEntry>(TOKENS.map((entry) => [entry.id, entry]))

/** Combines the built-in catalogue with the operator's configuration. */
export function openCatalogue(configuration: {
  chains: readonly ConfiguredChain[]
  tokens: readonly TokenEntry[]
}): Catalogue {
  const configured = new Map<string, ConfiguredChain>(
    configuration.chains.map((chain) => [chain.id, chain]),
  )
  const unlisted = UNLISTED_CHAINS.filter(({ id }) => configured.has(id))
  const entries = [...CHAINS, ...unlisted].map((entry) =>
    withSettings(entry, configured.get(entry.id)),
  )
  const chains = new Map<string, ChainEntry>(entries.map((entry) => [entry.id, entry]))
  const ours = TOKENS.filter(
    ({ native, chainId }) =>
      chains.has(chainId) && (native || configured.get(chainId)?.catalogueTokens !== false),
  )
  const tokens = new Map<string, TokenEntry>(
    [...ours, ...configuration.tokens].map((entry) => [entry.id, entry]),
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
    decimals: (tokenId) => (tokens.get(tokenId) ?? EVERY_TOKEN.get(tokenId))?.decimals ?? null,
  }
}

function withSettings(
  entry: ChainEntry,
  { addressType, explorer = entry.explorer }: Omit<Partial<ConfiguredChain>, 'id'> = {},
): ChainEntry {
  return { ...entry, explorer, ...(addressType !== undefined && { addressType }) }
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

/** Records outlive the configuration: a token removed from it has a summary by its id. */
function summarize(token: TokenEntry | undefined, tokenId: string): TokenSummary {
  if (token === undefined) return removedToken(tokenId)
  const { id, name, symbol, decimals, address } = token
  return { id, name, symbol, decimals, address }
}

function removedToken(tokenId: string): TokenSummary {
  const address = parseTokenId(tokenId)?.assetReference ?? ''
  return { id: tokenId, name: 'Token no longer configured', symbol: '?', decimals: 0, address }
}
