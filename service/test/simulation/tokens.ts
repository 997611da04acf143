import { tronWallet } from '@sluice/simulator'
import { parseChain } from '../adapters/brands.ts'
import { operatorToken } from '../../src/catalogue/operator-token.ts'
import { type Catalogue, openCatalogue } from '../../src/catalogue/find.ts'
import { watchScope } from '../../src/catalogue/scope.ts'
import type { TokenEntry } from '../../src/catalogue/tokens.ts'
import type { AddressType } from '../../src/chains/port.ts'

/** A stablecoin of the EVM chains, the same in every seed, at one address on both. */
export const EVM_DOLLAR = '0x1000000000000000000000000000000000000d01'
/** A token of the same chains that does not always report the truth. */
export const EVM_ROGUE = '0x1000000000000000000000000000000000000bad'
export const SEPOLIA = parseChain('eip155:11155111')
/** It shares the addresses of the first. */
export const BSC_TESTNET = parseChain('eip155:97')
export const SHASTA = parseChain('tron:shasta')
export const XRPL = parseChain('xrpl:testnet')
export const REGTEST = parseChain('bip122:0f9188f13cb7b2c71f2a335e3a4fc328')
export const REGTEST_REQUIRED = 2
/** A stablecoin of the TRON chain, the same in every seed. */
export const TRON_DOLLAR = tronWallet('the dollar of the simulation').address

/** Cheating payments are sometimes below it; two together are not. */
const DOLLAR_MINIMUM = 4_000_000n

/** Tokens that an operator has listed beside those of the catalogue. */
export const TOKENS: readonly TokenEntry[] = [
  ...[SEPOLIA, BSC_TESTNET].flatMap((chainId) => [
    token(`${chainId}/erc20:${EVM_DOLLAR}`, 'Test Dollar', 'TUSD', DOLLAR_MINIMUM),
    token(`${chainId}/erc20:${EVM_ROGUE}`, 'Rogue Coin', 'ROGUE'),
  ]),
  token(`${SHASTA}/trc20:${TRON_DOLLAR}`, 'Test Dollar', 'TUSD', DOLLAR_MINIMUM),
]

function token(id: string, name: string, symbol: string, minimumAmount = 1n): TokenEntry {
  const entry = operatorToken({ id, name, symbol, decimals: 6, minimumAmount })
  if ('problem' in entry) throw new Error(`${id}: ${entry.problem}`)
  return entry
}

/** Confirmations of a deposit, on chains that count them. */
export const REQUIRED = 3

/** The catalogue of a service that opens accounts of this type on Bitcoin. */
export function catalogueOf(addressType: AddressType): Catalogue {
  return openCatalogue({
    chains: [
      { id: SEPOLIA, confirmations: REQUIRED },
      { id: BSC_TESTNET, confirmations: REQUIRED },
      { id: SHASTA, confirmations: REQUIRED },
      { id: XRPL, confirmations: 1 },
      { id: REGTEST, confirmations: REGTEST_REQUIRED, addressType },
    ],
    tokens: TOKENS,
  })
}

/** The catalogue of every seed, apart from address types. */
export const CATALOGUE = catalogueOf('p2wpkh')

/** The chains that share addresses: all of one namespace (decisions, 2). */
export function scopeOf(chainId: string): string {
  const entry = CATALOGUE.chain(chainId)
  if (entry === null) throw new Error(`${chainId} is no chain of the catalogue`)
  return watchScope(entry)
}
