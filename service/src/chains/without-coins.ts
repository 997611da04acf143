import type { ChainAdapter } from './chain-adapter.ts'

type OfCoins = 'choose' | 'chooseChild' | 'chooseAll' | 'leastToJoin' | 'unspent'

/** What chains that keep balances answer to questions about coins. */
export const withoutCoins: Pick<ChainAdapter, OfCoins> = {
  choose: () => null,
  chooseChild: () => null,
  chooseAll: () => null,
  leastToJoin: () => 0n,
  unspent: async () => null,
}
