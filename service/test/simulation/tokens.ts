import { tronWallet } from '@sluice/simulator'
import { parseChain } from '../adapters/brands.ts'
import { operatorToken } from '../../src/catalogue/operator-token.ts'
import { openCatalogue } from '../../src/catalogue/find.ts'
import type { TokenEntry } from '../../src/catalogue/tokens.ts'

/** A stable coin of the first EVM chain, the same in every seed. */
export const EVM_DOLLAR = '0x1000000000000000000000000000000000000d01'
/** A token of the same chain that does not always tell the truth. */
export const EVM_ROGUE = '0x1000000000000000000000000000000000000bad'
export const SEPOLIA = parseChain('eip155:11155111')
export const SHASTA = parseChain('tron:shasta')
export const XRPL = parseChain('xrpl:testnet')
export const REGTEST = parseChain('bip122:0f9188f13cb7b2c71f2a335e3a4fc328')
export const REGTEST_REQUIRED = 2
/** A stable coin of the TRON chain, the same in every seed. */
export const TRON_DOLLAR = tronWallet('the dollar of the simulation').address

/** What a cheat pays is below it now and then; two of them are not. */
const DOLLAR_MINIMUM = 4_000_000n

/** Tokens that an operator has listed beside those of the catalogue. */
export const TOKENS: readonly TokenEntry[] = [
  token(`${SEPOLIA}/erc20:${EVM_DOLLAR}`, 'Test Dollar', 'TUSD', DOLLAR_MINIMUM),
  token(`${SEPOLIA}/erc20:${EVM_ROGUE}`, 'Rogue Coin', 'ROGUE'),
  token(`${SHASTA}/trc20:${TRON_DOLLAR}`, 'Test Dollar', 'TUSD', DOLLAR_MINIMUM),
]

function token(id: string, name: string, symbol: string, minimumAmount = 1n): TokenEntry {
  const entry = operatorToken({ id, name, symbol, decimals: 6, minimumAmount })
  if ('problem' in entry) throw new Error(`${id}: ${entry.problem}`)
  return entry
}

/** Blocks on top of a deposit's own that settle it, where depth counts. */
export const REQUIRED = 3

/** What the service of every seed offers. */
export const CATALOGUE = openCatalogue({
  chains: [
    { id: SEPOLIA, confirmations: REQUIRED },
    { id: SHASTA, confirmations: REQUIRED },
    { id: XRPL, confirmations: 1 },
    { id: REGTEST, confirmations: REGTEST_REQUIRED },
  ],
  tokens: TOKENS,
})
