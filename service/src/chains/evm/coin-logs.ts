import { parseTokenId } from '@sluice/wire'
import type { ChainId, TokenId } from '@sluice/wire'
import type { Address } from '../port.ts'
import { brandEvmAddress } from './address.ts'
import { COIN_LOG_ADDRESS } from './evidence.ts'

/**
 * Ether announces its own moves from here once EIP-7708 is active; they are seen as moves already
 * (E17).
 */
const ETHER_LOG_ADDRESS = brandEvmAddress('0xfffffffffffffffffffffffffffffffffffffffe')
/** Where a contract with the face of a token moves the chain's own coin, and logs that it did. */
const COIN_CONTRACTS: Readonly<Record<string, Address>> = { 'eip155:137': COIN_LOG_ADDRESS }

/**
 * Whether what a contract logs are moves of the chain's own coin, which are seen as such: to count
 * it as a token would credit the same coins twice.
 */
export function logsOwnCoin(chainId: ChainId, contract: Address): boolean {
  return contract === ETHER_LOG_ADDRESS || contract === COIN_CONTRACTS[chainId]
}

/** Whether a token is the own coin of its chain, which a contract there offers as one. */
export function isOwnCoin(tokenId: TokenId): boolean {
  const parts = parseTokenId(tokenId)
  const contract = parts === null ? undefined : COIN_CONTRACTS[parts.chainId]
  return contract !== undefined && parts?.assetReference.toLowerCase() === contract
}
