import { parseTokenId } from '@sluice/wire'
import type { ChainId, TokenId } from '@sluice/wire'
import type { Address } from '../port.ts'
import { brandEvmAddress } from './address.ts'
import { COIN_LOG_ADDRESS } from './evidence.ts'

/**
 * Ether logs its own moves from this address once EIP-7708 is active; moves are read anyway (E17).
 */
const ETHER_LOG_ADDRESS = brandEvmAddress('0xfffffffffffffffffffffffffffffffffffffffe')
/** Contracts with a token interface that move the native coin and log it. */
const COIN_CONTRACTS: Readonly<Record<string, Address>> = { 'eip155:137': COIN_LOG_ADDRESS }

/**
 * Whether a contract logs moves of the native coin. They are read as native moves; reading them as
 * token transfers would credit the same coins twice.
 */
export function logsOwnCoin(chainId: ChainId, contract: Address): boolean {
  return contract === ETHER_LOG_ADDRESS || contract === COIN_CONTRACTS[chainId]
}

/** Whether a token is the native coin of its chain, offered through a token interface. */
export function isOwnCoin(tokenId: TokenId): boolean {
  const parts = parseTokenId(tokenId)
  const contract = parts === null ? undefined : COIN_CONTRACTS[parts.chainId]
  return contract !== undefined && parts?.assetReference.toLowerCase() === contract
}
