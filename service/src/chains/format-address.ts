import { formatTokenId, parseChainId, parseTokenId } from '@sluice/wire'
import type { ChainId, Namespace, TokenId, TokenIdParts } from '@sluice/wire'
import { assert } from '../base/assert.ts'
import {
  addressTypeOf as bitcoinTypeOf,
  bitcoinAddressOf,
  hidesKey as hidesBitcoinKey,
  parseBitcoinAddress,
} from './bitcoin/address.ts'
import { unspendableBitcoin } from './bitcoin/unspendable.ts'
import { checksumAddress, evmAddressOf, parseEvmAddress } from './evm/address.ts'
import { unspendableEvm } from './evm/unspendable.ts'
import type { Address, AddressType } from './port.ts'
import { parseTronAddress, tronAddressOf } from './tron/address.ts'
import { unspendableTron } from './tron/unspendable.ts'
import {
  formatXAddress,
  parseTag as parseXrplTag,
  parseXAddress,
  parseXrplAddress,
  xrplAddressOf,
} from './xrpl/address.ts'
import type { Tagged } from './xrpl/address.ts'
import { unspendableXrpl } from './xrpl/unspendable.ts'

/** Who is meant by what somebody names as a recipient, and the tag that stands within it. */
export type Recipient = Tagged

/** How one family of chains writes its addresses. */
interface AddressForm {
  display(address: Address): string
  parse(text: string, chainId: ChainId): Address | null
  of(publicKey: Uint8Array, chainId: ChainId, type?: AddressType): Address
  /** Where addresses are of several types: of which of ours one is. */
  typeOf?(address: Address): AddressType
  /** Describes an address that nobody can spend from, or everybody can; else null. */
  unspendable(address: Address, chainId: ChainId): string | null
}

/** One line a family; a chain whose family is missing has no addresses yet. */
const FORMS: Partial<Record<Namespace, AddressForm>> = {
  eip155: {
    display: checksumAddress,
    parse: parseEvmAddress,
    of: evmAddressOf,
    unspendable: unspendableEvm,
  },
  tron: {
    display: (address) => address,
    parse: parseTronAddress,
    of: tronAddressOf,
    unspendable: unspendableTron,
  },
  xrpl: {
    display: (address) => address,
    parse: parseXrplAddress,
    of: xrplAddressOf,
    unspendable: unspendableXrpl,
  },
  bip122: {
    display: (address) => address,
    parse: parseBitcoinAddress,
    of: bitcoinAddressOf,
    typeOf: bitcoinTypeOf,
    unspendable: unspendableBitcoin,
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
  return formOf(chainId)?.parse(text, chainId) ?? null
}

/**
 * Reads what somebody names as a recipient: an address, or on chains with tags an X-address of the
 * same kind of network, which may hold the tag. Null where it is neither.
 */
export function parseRecipient(
  { id, isTestnet }: { id: ChainId; isTestnet: boolean },
  text: string,
): Tagged | null {
  const address = parseAddress(id, text)
  if (address !== null) return { address, tag: null }
  const given = hasTags(id) ? parseXAddress(text) : null
  return given === null || given.isTestnet !== isTestnet ? null : given
}

/** Reads a tag as people write it: an unsigned 32-bit decimal; null for no such text. */
export function parseTag(text: string): number | null {
  return parseXrplTag(text)
}

/** Address and tag in one text (XLS-5d); null on chains without tags. */
export function taggedAddress(
  { id, isTestnet }: { id: ChainId; isTestnet: boolean },
  { address, tag }: Tagged,
): string | null {
  return hasTags(id) ? formatXAddress({ address, tag, isTestnet }) : null
}

/** Whether payments name one of an account's users by a tag. */
export function hasTags(chainId: ChainId): boolean {
  return parseChainId(chainId)?.namespace === 'xrpl'
}

/**
 * Describes why money sent to an address is lost: nobody can spend from it, or everybody can. Null
 * for any other address.
 */
export function unspendableReason(chainId: ChainId, address: Address): string | null {
  return formOf(chainId)?.unspendable(address, chainId) ?? null
}

/**
 * The spelling of a transaction's hash in which a chain's nodes and our rows have it: with `0x` on
 * eip155, in capitals on xrpl, small and bare elsewhere. `text` is 64 hexadecimal digits, with or
 * without `0x`.
 */
export function hashOn(chainId: ChainId, text: string): string {
  const digits = text.toLowerCase().replace(/^0x/, '')
  const namespace = parseChainId(chainId)?.namespace
  if (namespace === 'eip155') return `0x${digits}`
  return namespace === 'xrpl' ? digits.toUpperCase() : digits
}

/**
 * The address of a compressed secp256k1 public key (33 bytes) on a chain; where there are several
 * types, of the one that is named, or else of the usual one.
 */
export function addressOf(chainId: ChainId, publicKey: Uint8Array, type?: AddressType): Address {
  const form = formOf(chainId)
  assert(form, 'an address was asked for on a chain whose addresses are not known', { chainId })
  const isOne = type === undefined || form.typeOf !== undefined
  assert(isOne, 'a type of address that the chain does not have', { chainId, type })
  return form.of(publicKey, chainId, type)
}

/**
 * What an address of ours says of its key's path, for `DerivationPath`: its type, where the chain
 * has several.
 */
export function pathTypeOf(chainId: ChainId, address: Address): { addressType?: AddressType } {
  const addressType = formOf(chainId)?.typeOf?.(address)
  return addressType === undefined ? {} : { addressType }
}

/**
 * Whether one of these addresses, with spaces between them, shows no key when it spends: then only
 * what it spends tells that it does.
 */
export function hidesKey(addresses: string): boolean {
  return hidesBitcoinKey(addresses)
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
  const address = form.parse(assetReference, chainId)
  return address === null ? null : form.display(address)
}

function formOf(chainId: ChainId): AddressForm | undefined {
  const namespace = parseChainId(chainId)?.namespace
  return namespace === undefined ? undefined : FORMS[namespace]
}
