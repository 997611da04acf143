import { formatTokenId, parseChainId, parseTokenId } from '@sluice/wire'
import type { AssetNamespace, ChainId, Namespace, TokenId, TokenIdParts } from '@sluice/wire'
import { assert, Bug } from '../base/assert.ts'
import {
  addressTypeOf as bitcoinTypeOf,
  bitcoinAddressOf,
  hidesKey as hidesBitcoinKey,
  parseBitcoinAddress,
  scriptOf,
} from './bitcoin/address.ts'
import { dustOf } from './bitcoin/size.ts'
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

/** A recipient as a request names it: its address, and the tag if the text contains one. */
export type Recipient = Tagged

/** How a family of chains writes addresses and hashes. */
interface AddressForm {
  display(address: Address): string
  parse(text: string, chainId: ChainId): Address | null
  of(publicKey: Uint8Array, chainId: ChainId, type?: AddressType): Address
  /** The type of an address of ours; undefined if the family has only one. */
  typeOf(address: Address): AddressType | undefined
  hasTypes: boolean
  /** Whether a tag names one of the users who share an address. */
  hasTags: boolean
  /** Describes an address that is unspendable, or that everyone can spend from; else null. */
  unspendable(address: Address, chainId: ChainId): string | null
  /** Smallest payment that nodes relay to an address, in base units. */
  leastPayment(to: Address, chainId: ChainId): bigint
  /** A transaction hash as nodes and our rows write it, of its lower-case digits without `0x`. */
  hash(digits: string): string
  /** Asset namespace of contract tokens; null if only the native currency is supported. */
  contracts: AssetNamespace | null
}

const PLAIN = {
  display: (address: Address): string => address,
  typeOf: () => undefined,
  hasTypes: false,
  hasTags: false,
  leastPayment: () => 1n,
  hash: (digits: string) => digits,
  contracts: null,
}

/** For a malformed chain id, which a tampered row may have. */
const UNKNOWN: AddressForm = {
  ...PLAIN,
  parse: () => null,
  of: (_key, chainId) => {
    throw new Bug('a malformed chain id', { chainId })
  },
  unspendable: () => null,
}

const FORMS: Record<Namespace, AddressForm> = {
  eip155: {
    ...PLAIN,
    display: checksumAddress,
    parse: parseEvmAddress,
    of: evmAddressOf,
    unspendable: unspendableEvm,
    hash: (digits) => `0x${digits}`,
    contracts: 'erc20',
  },
  tron: {
    ...PLAIN,
    parse: parseTronAddress,
    of: tronAddressOf,
    unspendable: unspendableTron,
    contracts: 'trc20',
  },
  xrpl: {
    ...PLAIN,
    parse: parseXrplAddress,
    of: xrplAddressOf,
    hasTags: true,
    unspendable: unspendableXrpl,
    hash: (digits) => digits.toUpperCase(),
  },
  bip122: {
    ...PLAIN,
    parse: parseBitcoinAddress,
    of: bitcoinAddressOf,
    typeOf: bitcoinTypeOf,
    hasTypes: true,
    unspendable: unspendableBitcoin,
    leastPayment: (to, chainId) => dustOf({ script: scriptOf(to, chainId) }),
  },
}

/** 0x; the network and witness version of bech32; the version character of base58. */
const SHARED_START = /^(?:0x|(?:bc|tb|bcrt)1[a-z0-9]|.)/
const ENDS_LENGTH = 4

const COIN_TYPE = /^(0|[1-9][0-9]{0,9})$/

/** The spelling of an address for people: EIP-55 on eip155, the address itself elsewhere. */
export function displayAddress(chainId: ChainId, address: Address): string {
  return formOf(chainId).display(address)
}

/** Parses an address into the spelling that is stored and compared; null if it is malformed. */
export function parseAddress(chainId: ChainId, text: string): Address | null {
  return formOf(chainId).parse(text, chainId)
}

/**
 * Parses a recipient: an address or, on chains with tags, an X-address of the same kind of network,
 * which may contain the tag. Null if it is neither.
 */
export function parseRecipient(
  { id, isTestnet }: { id: ChainId; isTestnet: boolean },
  text: string,
): Tagged | null {
  const address = parseAddress(id, text)
  if (address !== null) return { address, tag: null }
  const tagged = hasTags(id) ? parseXAddress(text) : null
  return tagged === null || tagged.isTestnet !== isTestnet ? null : tagged
}

/** Parses a tag: an unsigned 32-bit decimal; null for any other text. */
export const parseTag: (text: string) => number | null = parseXrplTag

/** Address and tag in one text (XLS-5d); null on chains without tags. */
export function taggedAddress(
  { id, isTestnet }: { id: ChainId; isTestnet: boolean },
  { address, tag }: Tagged,
): string | null {
  return hasTags(id) ? formatXAddress({ address, tag, isTestnet }) : null
}

/** Whether payments of a chain can carry a destination tag. */
export function hasTags(chainId: ChainId): boolean {
  return formOf(chainId).hasTags
}

/**
 * Describes why money sent to an address is lost: the address is unspendable, or everyone can spend
 * from it. Null for any other address.
 */
export function unspendableReason(chainId: ChainId, address: Address): string | null {
  return formOf(chainId).unspendable(address, chainId)
}

/** Smallest payment that nodes relay to an address, in base units: the dust limit on Bitcoin. */
export function leastPaymentOf(chainId: ChainId, to: Address): bigint {
  return formOf(chainId).leastPayment(to, chainId)
}

/** Asset namespace of a chain's contract tokens; null if it has only its native currency. */
export function contractNamespace(chainId: ChainId): AssetNamespace | null {
  return formOf(chainId).contracts
}

/**
 * A transaction hash in the spelling of a chain's nodes and of our rows. `text` is 64 hexadecimal
 * digits, with or without `0x`.
 */
export function hashOn(chainId: ChainId, text: string): string {
  return formOf(chainId).hash(text.toLowerCase().replace(/^0x/, ''))
}

/** The beginning and the end of an address that people compare. */
export interface AddressEnds {
  prefix: string
  suffix: string
}

/**
 * The parts of an address that wallets show and attackers imitate: its first four and last four
 * characters, the first after those that all addresses of the kind share.
 */
export function endsOf(address: Address): AddressEnds {
  const shared = SHARED_START.exec(address)?.[0].length ?? 0
  return { prefix: address.slice(0, shared + ENDS_LENGTH), suffix: address.slice(-ENDS_LENGTH) }
}

/**
 * The address of a compressed secp256k1 public key (33 bytes). The type is named only on chains
 * that have several; the default is the usual one.
 */
export function addressOf(chainId: ChainId, publicKey: Uint8Array, type?: AddressType): Address {
  const form = formOf(chainId)
  const hasType = type === undefined || form.hasTypes
  assert(hasType, 'a type of address that the chain does not have', { chainId, type })
  return form.of(publicKey, chainId, type)
}

/** The part of `DerivationPath` that an address of ours shows: its type, if there are several. */
export function pathTypeOf(chainId: ChainId, address: Address): { addressType?: AddressType } {
  const addressType = formOf(chainId).typeOf(address)
  return addressType === undefined ? {} : { addressType }
}

/**
 * Whether one of these addresses, separated by spaces, shows no key when it spends. Then only the
 * outputs that it spends reveal the sender.
 */
export const hidesKey: (addresses: string) => boolean = hidesBitcoinKey

/**
 * The canonical spelling of a token id (engineering, 17): contract addresses are accepted in any
 * case with a valid checksum and returned in EIP-55. Null for a malformed id, or an asset that its
 * chain cannot have.
 */
export function canonicalTokenId(text: string): TokenId | null {
  const parts = parseTokenId(text)
  if (parts === null) return null
  const reference = canonicalReference(parts)
  return reference === null ? null : formatTokenId({ ...parts, assetReference: reference })
}

function canonicalReference({ chainId, assetNamespace, assetReference }: TokenIdParts) {
  if (assetNamespace === 'slip44') return COIN_TYPE.test(assetReference) ? assetReference : null
  const form = formOf(chainId)
  if (form.contracts !== assetNamespace) return null
  const address = form.parse(assetReference, chainId)
  return address === null ? null : form.display(address)
}

function formOf(chainId: ChainId): AddressForm {
  const namespace = parseChainId(chainId)?.namespace
  return namespace === undefined ? UNKNOWN : FORMS[namespace]
}
