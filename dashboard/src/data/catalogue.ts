import type { Chain, Token } from '@sluice/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { client } from './client.ts'

const RARELY_MS = 5 * 60_000

/** The query of all tokens of the service. */
export const ALL_TOKENS = queryOptions({
  queryKey: ['tokens', 'all'],
  queryFn: ({ signal }) => client.tokens.list({ enabledOnly: false }, { signal }),
})

/** The query of the state of each chain that the service has nodes for. */
export const CHAIN_STATUSES = queryOptions({
  queryKey: ['chains', 'status'],
  queryFn: ({ signal }) => client.chains.status({ signal }),
})

/** All chains of the service, by their id. */
export function useChains(): ReadonlyMap<string, Chain> {
  const { data } = useQuery({
    queryKey: ['chains', 'all'],
    queryFn: ({ signal }) => client.chains.list({ enabledOnly: false }, { signal }),
    staleTime: RARELY_MS,
    select: (chains) => new Map(chains.map((chain) => [chain.id, chain])),
  })
  return data ?? NO_CHAINS
}

/** All tokens of the service, by their id. */
export function useTokens(): ReadonlyMap<string, Token> {
  const { data } = useQuery({
    ...ALL_TOKENS,
    staleTime: RARELY_MS,
    select: (tokens) => new Map(tokens.map((token) => [token.id, token])),
  })
  return data ?? NO_TOKENS
}

const NO_CHAINS: ReadonlyMap<string, Chain> = new Map()
const NO_TOKENS: ReadonlyMap<string, Token> = new Map()

/** The name of a chain; its id until the chains are known. */
export function useChainName(chainId: string): string {
  return useChains().get(chainId)?.name ?? chainId
}
