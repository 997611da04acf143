import { formatTokenId } from '@sluice/wire'
import type { ChainId, TokenId } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import { contractNamespace } from '../chains/format-address.ts'
import { ALL_CHAINS, CHAINS, nativeTokenId } from './chains.ts'
import type { ChainEntry } from './chains.ts'
import { ALSO_KNOWN_AS, CONTRACT_TOKENS } from './token-lines.ts'
import type { ContractTokenLine } from './token-lines.ts'

/** A token as listed. Its contract is checked before it is enabled (engineering, 17). */
export interface TokenEntry {
  id: TokenId
  chainId: ChainId
  name: string
  symbol: string
  decimals: number
  /** The contract in EIP-55 or base58; empty for the native currency. */
  address: string
  native: boolean
  /** Smallest deposit that is credited and smallest withdrawal, in base units. */
  minimumAmount: bigint
  /** Largest withdrawal, in base units; null for no limit. */
  maximumWithdrawalAmount: bigint | null
  /** Smallest balance that is swept, in base units; default: `sweepThreshold`. */
  sweepAmount?: bigint
  /** Whether the token is enabled for an organization that has not set its switch. */
  enabledByDefault: boolean
  source: 'catalogue' | 'operator'
  /** Other symbols that the contract may have. */
  alsoKnownAs?: readonly string[]
}

/** Built-in tokens: the native currency of every chain, then contract tokens. */
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
    name: chain.nativeName,
    symbol: chain.nativeCurrency,
    decimals: chain.decimals,
    address: '',
    native: true,
    minimumAmount: chain.minimumAmount,
    maximumWithdrawalAmount: null,
    enabledByDefault: true,
    source: 'catalogue',
  }
}

function contractToken(chain: ChainEntry, line: ContractTokenLine): TokenEntry {
  const [symbol, decimals, enabledByDefault, address, name] = line
  const assetNamespace = contractNamespace(chain.id)
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
    minimumAmount: chain.minimumAmount,
    maximumWithdrawalAmount: null,
    enabledByDefault,
    source: 'catalogue',
    alsoKnownAs: ALSO_KNOWN_AS[id] ?? [],
  }
}
