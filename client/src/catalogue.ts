import type { Chain, ChainStatus, Token } from './generated.ts'
import type { CallOptions, Query } from './operation.ts'
import type { Ask } from './transport.ts'

export interface Chains {
  /** Chains; with `enabledOnly: false` also those that are not enabled for the organization. */
  list(filter?: Query<'getChains'>, options?: CallOptions): Promise<Chain[]>
  /** The state of each chain: its blocks, its nodes, and whether it can be used now. */
  status(options?: CallOptions): Promise<ChainStatus[]>
  /** One chain, by its CAIP-2 id. */
  get(id: string, options?: CallOptions): Promise<Chain>
}

export interface Tokens {
  /** Tokens; with `enabledOnly: false` also those that are not enabled for the organization. */
  list(filter?: Query<'getTokens'>, options?: CallOptions): Promise<Token[]>
}

export function openChains(ask: Ask): Chains {
  return {
    list: async (query, options) =>
      (await ask('getChains', { query: { ...query } }, options)).chains,
    status: async (options) => (await ask('getChainsStatus', {}, options)).chains,
    get: async (id, options) => (await ask('getChain', { path: { id } }, options)).chain,
  }
}

export function openTokens(ask: Ask): Tokens {
  return {
    list: async (query, options) =>
      (await ask('getTokens', { query: { ...query } }, options)).tokens,
  }
}
