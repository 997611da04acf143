import { parseTokenId } from '@sluice/wire'
import type { ChainId, TokenId } from '@sluice/wire'
import { canonicalTokenId, parseAddress } from '../../src/chains/format-address.ts'
import type { Address } from '../../src/chains/port.ts'

/** A chain id written in a test. */
export function parseChain(text: string): ChainId {
  const parts = parseTokenId(`${text}/slip44:0`)
  if (parts === null) throw new Error(`no chain id: ${text}`)
  return parts.chainId
}

/** A token id written in a test. */
export function parseToken(text: string): TokenId {
  const tokenId = canonicalTokenId(text)
  if (tokenId === null) throw new Error(`no token id: ${text}`)
  return tokenId
}

/** An address written in a test. */
export function parseHolder(chainId: ChainId, text: string): Address {
  const address = parseAddress(chainId, text)
  if (address === null) throw new Error(`no address: ${text}`)
  return address
}
