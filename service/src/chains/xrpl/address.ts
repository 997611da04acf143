import { createHash } from 'node:crypto'
import { ripemd160 } from '@noble/hashes/legacy.js'
import {
  classicAddressToXAddress,
  encodeAccountID,
  isValidClassicAddress,
  isValidXAddress,
  xAddressToClassicAddress,
} from 'ripple-address-codec'
import { assert } from '../../base/assert.ts'
import type { Address } from '../port.ts'

/** The account that a recipient's address names, and its tag. */
export interface Tagged {
  address: Address
  /** Null if the address has no tag; the tag 0 is different. */
  tag: number | null
}

/** An X-address (XLS-5d): account, tag and type of network in one text. */
interface XAddress extends Tagged {
  isTestnet: boolean
}

const TAG_MAX = 0xff_ff_ff_ff

/** Brands an address that was read from a node or made from a key. */
export function brandXrplAddress(text: string): Address {
  assert(isValidClassicAddress(text), 'no address of the XRP Ledger', { text })
  return text as Address
}

/** Reads a classic address (r…) with the right checksum; null for anything else. */
export function parseXrplAddress(text: string): Address | null {
  return isValidClassicAddress(text) ? brandXrplAddress(text) : null
}

/** Reads an X-address; null for anything else. */
export function parseXAddress(text: string): XAddress | null {
  if (!isValidXAddress(text)) return null
  const { classicAddress, tag, test } = xAddressToClassicAddress(text)
  const address = brandXrplAddress(classicAddress)
  return { address, tag: tag === false ? null : tag, isTestnet: test }
}

/** The X-address of an account and a tag, for wallets with a single field. */
export function formatXAddress({ address, tag, isTestnet }: XAddress): string {
  return classicAddressToXAddress(address, tag ?? false, isTestnet)
}

/** The address of a compressed secp256k1 public key: RIPEMD-160 of its SHA-256. */
export function xrplAddressOf(publicKey: Uint8Array): Address {
  assert(publicKey.length === 33, 'a public key that is not compressed', {
    bytes: publicKey.length,
  })
  const id = ripemd160(createHash('sha256').update(publicKey).digest())
  return brandXrplAddress(encodeAccountID(id))
}

/** The address of twenty bytes. */
export function addressOfId(id: Uint8Array): Address {
  return brandXrplAddress(encodeAccountID(id))
}

/** Reads a tag as an unsigned 32-bit decimal; null for any other text. */
export function parseTag(text: string): number | null {
  if (!/^(0|[1-9][0-9]{0,9})$/.test(text)) return null
  const tag = Number(text)
  return tag <= TAG_MAX ? tag : null
}
