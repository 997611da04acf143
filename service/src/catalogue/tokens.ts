import { formatTokenId } from '@sluice/wire'
import type { AssetNamespace, ChainId, TokenId } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import { ALL_CHAINS, CHAINS, nativeTokenId } from './chains.ts'
import type { ChainEntry } from './chains.ts'
import { ALSO_KNOWN_AS, CONTRACT_TOKENS, NATIVE_TOKEN_NAMES } from './token-lines.ts'
import type { ContractTokenLine } from './token-lines.ts'

/**
 * What is fixed about a token. The chain itself is asked before any of it is believed (engineering,
 * 17).
 */
export interface TokenEntry {
  id: TokenId
  chainId: ChainId
  name: string
  symbol: string
  decimals: number
  /** The contract in the spelling people read; "" for the chain's own currency. */
  address: string
  native: boolean
  /** Smallest deposit that is credited and smallest withdrawal, in base units. */
  minimumAmount: bigint
  /** Largest withdrawal, in base units; null for none. */
  maximumWithdrawalAmount: bigint | null
  /** From how much on it is swept, in base units; where left out, as `sweepThreshold` says. */
  sweepAmount?: bigint
  /** Whether the token is on for an organization that has set no switch of its own. */
  enabledByDefault: boolean
  source: 'catalogue' | 'operator'
  /** Symbols by which the contract may also call itself, besides `symbol`. */
  alsoKnownAs?: readonly string[]
}

/**
 * The smallest payment worth crediting where nobody says otherwise, in base units: 1; on bip122
 * chains the dust limit of the oldest kind of output, below which spending costs more than it
 * brings.
 */
export function defaultMinimum(chain: ChainEntry): bigint {
  return chain.namespace === 'bip122' ? 546n : 1n
}

/**
 * The asset namespace of a chain's contract tokens; null where only the native one is money here.
 */
export function contractNamespace(chain: ChainEntry): AssetNamespace | null {
  if (chain.namespace === 'eip155') return 'erc20'
  return chain.namespace === 'tron' ? 'trc20' : null
}

/** Every token that comes with the product: each chain's own currency, then the contract tokens. */
export const TOKENS: readonly TokenEntry[] = [
  ...ALL_CHAINS.map(nativeToken),
  ...CHAINS.flatMap((chain) =>
    (CONTRACT_TOKENS[chain.id] ?? []).map((line) => contractToken(chain, line)),
  ),
]

function nativeToken(chain: ChainEntry): TokenEntry {
  return {
    id: nativeTokenId(chain),
    chainId: chain.id,
    name: NATIVE_TOKEN_NAMES[chain.id] ?? chain.nativeCurrency,
    symbol: chain.nativeCurrency,
    decimals: chain.decimals,
    address: '',
    native: true,
    minimumAmount: defaultMinimum(chain),
    maximumWithdrawalAmount: null,
    enabledByDefault: true,
    source: 'catalogue',
  }
}

function contractToken(chain: ChainEntry, line: ContractTokenLine): TokenEntry {
  const [symbol, decimals, enabledByDefault, address, name] = line
  const assetNamespace = contractNamespace(chain)
  assert(assetNamespace !== null, 'a contract token on a chain without any', { address })
  const id = formatTokenId({ chainId: chain.id, assetNamespace, assetReference: address })
  return {
    id,
    chainId: chain.id,
    name,
    symbol,
    decimals,
    address,
    native: false,
    minimumAmount: defaultMinimum(chain),
    maximumWithdrawalAmount: null,
    enabledByDefault,
    source: 'catalogue',
    alsoKnownAs: ALSO_KNOWN_AS[id] ?? [],
  }
}
