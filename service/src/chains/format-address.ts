import { formatTokenId, parseChainId, parseTokenId } from '@sluice/wire'
import type { ChainId, Namespace, TokenId, TokenIdParts } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import { checksumAddress, evmAddressOf, parseEvmAddress, ZERO_ADDRESS } from './evm/address.ts'
import type { Address } from './port.ts'

/** How one family of chains writes its addresses. */
interface AddressForm {
  display(address: Address): string
  parse(text: string): Address | null
  of(publicKey: Uint8Array): Address
  /** What nobody can have the key of. */
  burnt: readonly Address[]
}

/** One line a family; a chain whose family is missing has no addresses yet. */
const FORMS: Partial<Record<Namespace, AddressForm>> = {
  eip155: {
    display: checksumAddress,
    parse: parseEvmAddress,
    of: evmAddressOf,
    burnt: [ZERO_ADDRESS],
  },
}

/**
 * Which asset namespace holds the contract tokens of a family; `slip44` is every family's native
 * coin.
 */
const CONTRACT_ASSETS: Partial<Record<Namespace, string>> = { eip155: 'erc20', tron: 'trc20' }

const COIN_TYPE = /^(0|[1-9][0-9]{0,9})$/

/** The spelling of an address that people read: EIP-55 on eip155, the address itself elsewhere. */
export function displayAddress(chainId: ChainId, address: Address): string {
  return formOf(chainId)?.display(address) ?? address
}

/**
 * Reads an address as people write it into the spelling that is stored and compared; null where it
 * is none.
 */
export function parseAddress(chainId: ChainId, text: string): Address | null {
  return formOf(chainId)?.parse(text) ?? null
}

/** Whether money sent to an address is lost, since nobody can have its key: the zero address. */
export function isBurnt(chainId: ChainId, address: Address): boolean {
  return formOf(chainId)?.burnt.includes(address) ?? false
}

/** The address of a compressed secp256k1 public key (33 bytes) on a chain. */
export function addressOf(chainId: ChainId, publicKey: Uint8Array): Address {
  const form = formOf(chainId)
  assert(form, 'an address was asked for on a chain whose addresses are not known', { chainId })
  return form.of(publicKey)
}

/**
 * The one spelling of a token id (engineering, 17): contract addresses are accepted in any case
 * whose checksum is right and answered in EIP-55. Null for what is no token id, or names an asset
 * that its chain cannot have.
 */
export function canonicalTokenId(text: string): TokenId | null {
  const parts = parseTokenId(text)
  if (parts === null) return null
  const reference = canonicalReference(parts)
  return reference === null ? null : formatTokenId({ ...parts, assetReference: reference })
}

function canonicalReference({ chainId, assetNamespace, assetReference }: TokenIdParts) {
  if (assetNamespace === 'slip44') return COIN_TYPE.test(assetReference) ? assetReference : null
  const namespace = parseChainId(chainId)?.namespace
  if (namespace === undefined || CONTRACT_ASSETS[namespace] !== assetNamespace) return null
  const form = FORMS[namespace]
  if (form === undefined) return assetReference
  const address = form.parse(assetReference)
  return address === null ? null : form.display(address)
}

function formOf(chainId: ChainId): AddressForm | undefined {
  const namespace = parseChainId(chainId)?.namespace
  return namespace === undefined ? undefined : FORMS[namespace]
}
