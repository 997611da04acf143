import type { GasWallet, PortfolioEntry } from './generated.ts'
import type { CallOptions, Query } from './operation.ts'
import type { Ask } from './transport.ts'

export interface GasStation {
  /** The wallets that pay fees, with what they hold now. */
  list(options?: CallOptions): Promise<GasWallet[]>
}

export interface Portfolio {
  /** The balances of the organization, by token and account. */
  list(filter?: Query<'getPortfolio'>, options?: CallOptions): Promise<PortfolioEntry[]>
}

export function openGasStation(ask: Ask): GasStation {
  return { list: async (options) => (await ask('getGasStation', {}, options)).gasWallets }
}

export function openPortfolio(ask: Ask): Portfolio {
  return {
    list: async (query, options) =>
      (await ask('getPortfolio', { query: { ...query } }, options)).portfolio,
  }
}
