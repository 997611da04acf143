import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { assert } from '../../base/assert.ts'
import { keccak } from '../evm/keccak.ts'
import type { Address } from '../port.ts'

/**
 * Addresses are stored as people write them: base58check over the byte 41 and the twenty bytes of
 * the EVM address of the same key.
 */
const PREFIX = 0x41
const BYTES = 21
const LENGTH = 34
const HEX = /^41[0-9a-f]{40}$/
const base58check = createBase58check(sha256)

/** Cache of addresses by bytes: encoding one takes 20 µs, and most repeat. */
const CACHE_MAX = 50_000
const written = new Map<string, Address>()

/** The sender of simulated calls. */
export const ZERO_ADDRESS = fromHex41(`41${'0'.repeat(40)}`)

/**
 * Reads a base58check address; null for anything else: hex, the EVM form, another prefix, a wrong
 * checksum (T12).
 */
export function parseTronAddress(text: string): Address | null {
  if (text.length !== LENGTH || !text.startsWith('T')) return null
  try {
    const bytes = base58check.decode(text)
    return bytes.length === BYTES && bytes[0] === PREFIX ? brand(text) : null
  } catch {
    return null
  }
}

/** The address of 21 bytes in lower-case hex that begin with 41. */
export function fromHex41(hex: string): Address {
  const known = written.get(hex)
  if (known !== undefined) return known
  assert(HEX.test(hex), 'a TRON address that is not 41 and 40 lower-case digits', { hex })
  const address = brand(base58check.encode(new Uint8Array(Buffer.from(hex, 'hex'))))
  if (written.size >= CACHE_MAX) written.clear()
  written.set(hex, address)
  return address
}

/** The 21 bytes of an address in hex, the form that nodes take. */
export function toHex41(address: Address): string {
  const bytes = base58check.decode(address)
  assert(bytes.length === BYTES && bytes[0] === PREFIX, 'no TRON address', { address })
  return Buffer.from(bytes).toString('hex')
}

/** The same twenty bytes in the form of contracts: 0x and 40 digits. */
export function toContractForm(address: Address): Address {
  return brand(`0x${toHex41(address).slice(2)}`)
}

/** The address of 0x and 40 digits. */
export function fromContractForm(address: string): Address {
  return fromHex41(`41${address.slice(2)}`)
}

/** The address of a compressed secp256k1 public key (33 bytes). */
export function tronAddressOf(publicKey: Uint8Array): Address {
  assert(publicKey.length === 33, 'a public key that is not compressed', {
    bytes: publicKey.length,
  })
  const coordinates = secp256k1.Point.fromBytes(publicKey).toBytes(false).subarray(1)
  const hash = keccak(coordinates).subarray(12)
  return fromHex41(`41${Buffer.from(hash).toString('hex')}`)
}

function brand(text: string): Address {
  return text as Address
}
