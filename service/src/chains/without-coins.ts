import type { ChainAdapter } from './chain-adapter.ts'

/** What chains that keep balances answer to questions about coins. */
export const withoutCoins: Pick<ChainAdapter, 'choose' | 'chooseChild' | 'chooseAll' | 'unspent'> =
  {
    choose: () => null,
    chooseChild: () => null,
    chooseAll: () => null,
    unspent: async () => null,
  }
