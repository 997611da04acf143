import type { ChainPlan } from './chains.ts'

const OFFERED = true
const THERE_ONLY = false

type Line = readonly [
  symbol: string,
  decimals: number,
  offered: boolean,
  address: string,
  name: string,
]

const contracts = (lines: readonly Line[]) =>
  lines.map(([symbol, decimals, offered, address, name]) => ({
    symbol,
    decimals,
    offered,
    address,
    name,
  }))

/** Two test networks, with the tokens that stand on the real ones, at the same addresses. */
export const PLANS: Record<'sepolia' | 'bsc', ChainPlan> = {
  sepolia: {
    reference: 11155111,
    nativeSymbol: 'ETH',
    contracts: contracts([
      ['USDT', 6, OFFERED, '0xaA8E23Fb1079EA71e0a56F48a2aA51851D8433D0', 'Tether USD'],
      ['USDC', 6, OFFERED, '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238', 'USD Coin'],
      ['WETH', 18, THERE_ONLY, '0xfFf9976782d46CC05630D1f6eBAb18b2324d6B14', 'Wrapped Ether'],
      ['RLUSD', 18, THERE_ONLY, '0xe101FB315a64cDa9944E570a7bFfaFE60b994b1D', 'Ripple USD'],
    ]),
  },
  bsc: {
    reference: 97,
    nativeSymbol: 'tBNB',
    contracts: contracts([
      ['USDT', 18, OFFERED, '0x337610d27c682E347C9cD60BD4b3b107C9d34dDd', 'Tether USD'],
      ['USDC', 18, OFFERED, '0x64544969ed7EBf5f083679233325356EbE738930', 'USD Coin'],
      ['BUSD', 18, THERE_ONLY, '0xeD24FC36d5Ee211Ea25A80239Fb8C4Cfd80f12Ee', 'Binance USD'],
      ['WBNB', 18, THERE_ONLY, '0xae13d989daC2f0dEbFf460aC112a837C89BAa7cd', 'Wrapped BNB'],
    ]),
  },
}
