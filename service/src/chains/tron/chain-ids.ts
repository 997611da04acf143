import { formatTokenId, parseTokenId } from '@sluice/wire'
import type { ChainId, TokenId } from '@sluice/wire'
import type { Address } from '../port.ts'
import { fromHex41, parseTronAddress, toHex41 } from './address.ts'

/** The main network, and the id of its first block. */
export const MAIN_NETWORK = {
  chainId: 'tron:0x00000000000000000000000000000000' as ChainId,
  genesis: '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc',
}

/** TRON names a chain by the last four bytes of its first block's id. */
const CHAINS: Readonly<Record<string, string>> = {
  '2b6653dc': MAIN_NETWORK.chainId,
  '94a9059e': 'tron:shasta',
}

/** The chain that begins with a block; an unknown chain is named by the end of that id. */
export function brandTronChainId(genesis: string): ChainId {
  return (CHAINS[genesis.slice(-8)] as ChainId | undefined) ?? brandStranger(genesis)
}

/** A chain identified only by a block that is not ours. */
export function brandStranger(id: string): ChainId {
  return `tron:0x${id.slice(-8)}` as ChainId
}

/** The native coin of a TRON chain (interface, section 2.1). */
export function nativeTokenId(chainId: ChainId): TokenId {
  return formatTokenId({ chainId, assetNamespace: 'slip44', assetReference: '195' })
}

/** The token of a contract. */
export function contractTokenId(chainId: ChainId, contract: Address): TokenId {
  return formatTokenId({ chainId, assetNamespace: 'trc20', assetReference: contract })
}

/** The contract of a token id; null for the native coin. */
export function contractOf(tokenId: TokenId): Address | null {
  const parts = parseTokenId(tokenId)
  return parts?.assetNamespace === 'trc20' ? parseTronAddress(parts.assetReference) : null
}

/** The contracts of the tokens of a chain by their twenty bytes in hex, each with its token. */
export function contractsOf(
  chainId: ChainId,
  tokenIds: readonly TokenId[],
): ReadonlyMap<string, TokenId> {
  const contracts = new Map<string, TokenId>()
  for (const tokenId of tokenIds) {
    const contract = contractOf(tokenId)
    if (contract === null || parseTokenId(tokenId)?.chainId !== chainId) continue
    contracts.set(toHex41(contract).slice(2), tokenId)
  }
  return contracts
}

/** The address of twenty bytes in hex. */
export function addressOf20(hex: string): Address {
  return fromHex41(`41${hex}`)
}
