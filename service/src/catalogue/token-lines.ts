/** A contract token. */
export type ContractTokenLine = readonly [
  symbol: string,
  decimals: number,
  enabledByDefault: boolean,
  address: string,
  name: string,
]

/** Enabled for every organization by default, or only for one that switches it on. */
const ON = true
const OFF = false

/**
 * Contract tokens by chain, addresses in EIP-55 or base58. Beware: on Polygon the bridged USDC.e is
 * another asset than USDC, and on BSC nearly every token has 18 decimals.
 */
export const CONTRACT_TOKENS: Readonly<Record<string, readonly ContractTokenLine[]>> = {
  'eip155:1': [
    ['USDT', 6, ON, '0xdAC17F958D2ee523a2206206994597C13D831ec7', 'Tether USD'],
    ['USDC', 6, ON, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'USD Coin'],
    ['DAI', 18, ON, '0x6B175474E89094C44Da98b954EedeAC495271d0F', 'Dai Stablecoin'],
    ['WETH', 18, OFF, '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', 'Wrapped Ether'],
    ['WBTC', 8, OFF, '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599', 'Wrapped BTC'],
    ['PYUSD', 6, OFF, '0x6c3ea9036406852006290770BEdFcAbA0e23A0e8', 'PayPal USD'],
    ['EURC', 6, OFF, '0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c', 'Euro Coin'],
    ['RLUSD', 18, OFF, '0x8292Bb45bf1Ee4d140127049757C2E0fF06317eD', 'Ripple USD'],
    ['USDS', 18, OFF, '0xdC035D45d973E3EC169d2276DDab16f1e407384F', 'USDS Stablecoin'],
    ['BUSD', 18, OFF, '0x4Fabb145d64652a948d72533023f6E7A623C7C53', 'Binance USD (legacy)'],
    ['USD1', 18, OFF, '0x8d0D000Ee44948FC98c9B98A4FA4921476f08B0d', 'World Liberty Financial USD'],
    ['LINK', 18, OFF, '0x514910771AF9Ca656af840dff83E8264EcF986CA', 'ChainLink Token'],
    ['GUSD', 2, OFF, '0x056Fd409E1d7A124BD7017459dFEa2F387b6d5Cd', 'Gemini Dollar'],
  ],
  'eip155:137': [
    ['USDT', 6, ON, '0xc2132D05D31c914a87C6611C10748AEb04B58e8F', 'Tether USD (USDT0)'],
    ['USDC', 6, ON, '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', 'USD Coin (native)'],
    ['USDC.e', 6, OFF, '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174', 'USD Coin (PoS bridged)'],
    ['DAI', 18, OFF, '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063', 'Dai Stablecoin (PoS)'],
    ['WETH', 18, OFF, '0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619', 'Wrapped Ether'],
    ['WBTC', 8, OFF, '0x1BFD67037B42Cf73acF2047067bd4F2C47D9BfD6', 'Wrapped BTC'],
    ['WPOL', 18, OFF, '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270', 'Wrapped POL (WMATIC)'],
  ],
  'eip155:56': [
    ['USD1', 18, OFF, '0x8d0D000Ee44948FC98c9B98A4FA4921476f08B0d', 'World Liberty Financial USD'],
    ['USDT', 18, ON, '0x55d398326f99059fF775485246999027B3197955', 'Tether USD (BSC-USD)'],
    ['USDC', 18, ON, '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', 'USD Coin (Binance-Peg)'],
    ['DAI', 18, OFF, '0x1AF3F329e8BE154074D8769D1FFa4eE058B1DBc3', 'Dai (Binance-Peg)'],
    ['BUSD', 18, OFF, '0xe9e7CEA3DedcA5984780Bafc599bD69ADd087D56', 'Binance USD (legacy)'],
    ['ETH', 18, OFF, '0x2170Ed0880ac9A755fd29B2688956BD959F933F8', 'Ethereum (Binance-Peg)'],
    ['BTCB', 18, OFF, '0x7130d2A12B9BCbFAe4f2634d864A1Ee1Ce3Ead9c', 'Bitcoin (Binance-Peg)'],
    ['WBNB', 18, OFF, '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c', 'Wrapped BNB'],
    ['FDUSD', 18, OFF, '0xc5f0f7b66764F6ec8C8Dff7BA683102295E16409', 'First Digital USD'],
  ],
  'tron:0x00000000000000000000000000000000': [
    ['USDT', 6, ON, 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'Tether USD'],
    ['USDC', 6, OFF, 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8', 'USD Coin (legacy)'],
    ['TUSD', 18, OFF, 'TUpMhErZL2fhh4sVNULAbNKLokS4GjC1F4', 'TrueUSD'],
    ['USDD', 18, OFF, 'TXDk8mbtRbXeYuMNS83CfKPaYYT8XWv9Hz', 'Decentralized USD'],
  ],
  'eip155:11155111': [
    ['USDC', 6, ON, '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238', 'USD Coin (testnet)'],
    [
      'USDT',
      6,
      ON,
      '0xaA8E23Fb1079EA71e0a56F48a2aA51851D8433D0',
      'Tether USD (Aave faucet, not official)',
    ],
    ['WETH', 18, OFF, '0xfFf9976782d46CC05630D1f6eBAb18b2324d6B14', 'Wrapped Ether'],
    ['RLUSD', 18, OFF, '0xe101FB315a64cDa9944E570a7bFfaFE60b994b1D', 'Ripple USD (testnet)'],
  ],
  'eip155:97': [
    ['USDT', 18, ON, '0x337610d27c682E347C9cD60BD4b3b107C9d34dDd', 'Tether USD (testnet)'],
    ['BUSD', 18, OFF, '0xeD24FC36d5Ee211Ea25A80239Fb8C4Cfd80f12Ee', 'Binance USD (testnet)'],
    ['USDC', 18, ON, '0x64544969ed7EBf5f083679233325356EbE738930', 'USD Coin (testnet)'],
    ['WBNB', 18, OFF, '0xae13d989daC2f0dEbFf460aC112a837C89BAa7cd', 'Wrapped BNB (testnet)'],
  ],
  'tron:shasta': [
    ['USDT', 6, ON, 'TG3XXyExBkPp9nzdajDZsozEu4BkaSJozs', 'Tether USD (community test token)'],
  ],
}

/** Other symbols of a contract: it was renamed, or two tokens have the same symbol. */
export const ALSO_KNOWN_AS: Readonly<Record<string, readonly string[]>> = {
  'eip155:137/erc20:0xc2132D05D31c914a87C6611C10748AEb04B58e8F': ['USDT0'],
  'eip155:137/erc20:0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174': ['USDC'],
  'eip155:137/erc20:0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270': ['WMATIC'],
  'eip155:56/erc20:0x55d398326f99059fF775485246999027B3197955': ['BSC-USD'],
}
