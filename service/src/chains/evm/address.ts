import { secp256k1 } from '@noble/curves/secp256k1.js'
import { assert } from '../../base/assert.ts'
import type { Address } from '../port.ts'
import { keccak, keccakInBulk } from './keccak.ts'
import { rlpEncode, rlpNumber } from './rlp.ts'

const LOWER = /^0x[0-9a-f]{40}$/
const UPPER = /^0x[0-9A-F]{40}$/
const MIXED = /^0x[0-9a-fA-F]{40}$/

export const ZERO_ADDRESS = brandEvmAddress(`0x${'0'.repeat(40)}`)

/** The usual burn address. */
export const GRAVE = brandEvmAddress(`0x${'0'.repeat(36)}dead`)

/** Brands twenty bytes that are already written as 0x and 40 lower-case digits. */
export function brandEvmAddress(hex: string): Address {
  assert(LOWER.test(hex), 'an EVM address that is not 0x and 40 lower-case digits', { hex })
  return hex as Address
}

/**
 * Reads an EVM address as a person writes it: all lower case, all upper case, or mixed with the
 * right EIP-55 checksum. Null for anything else: a wrong checksum, `0X`, ICAP, a name, a wrong
 * length.
 */
export function parseEvmAddress(text: string): Address | null {
  if (!MIXED.test(text)) return null
  const address = brandEvmAddress(text.toLowerCase())
  const isPlain = LOWER.test(text) || UPPER.test(text)
  return isPlain || checksumAddress(address) === text ? address : null
}

/** Cache of spellings: an address is read and shown many times. */
const SPELLINGS = new Map<Address, string>()
const SPELLINGS_MAX = 20_000

/**
 * The spelling for people: EIP-55, the case of each letter taken from the hash of the lower-case
 * text.
 */
export function checksumAddress(address: Address): string {
  const known = SPELLINGS.get(address)
  if (known !== undefined) return known
  if (SPELLINGS.size === SPELLINGS_MAX) SPELLINGS.clear()
  const spelling = spell(address)
  SPELLINGS.set(address, spelling)
  return spelling
}

function spell(address: Address): string {
  const digits = address.slice(2)
  const hash = Buffer.from(keccakInBulk(Buffer.from(digits, 'ascii'))).toString('hex')
  const cased = digits.replace(/[a-f]/g, (letter, at: number) =>
    (hash[at] ?? '0') >= '8' ? letter.toUpperCase() : letter,
  )
  return `0x${cased}`
}

/**
 * The address of a compressed secp256k1 public key (33 bytes): the last 20 bytes of the keccak of
 * its coordinates.
 */
export function evmAddressOf(publicKey: Uint8Array): Address {
  assert(publicKey.length === 33, 'a public key that is not compressed', {
    bytes: publicKey.length,
  })
  const coordinates = secp256k1.Point.fromBytes(publicKey).toBytes(false).subarray(1)
  return lastTwentyBytes(keccak(coordinates))
}

/** The address of a created contract: the last 20 bytes of keccak(rlp([sender, nonce])). */
export function createdAddress(sender: Address, nonce: bigint): Address {
  const senderBytes = Buffer.from(sender.slice(2), 'hex')
  return lastTwentyBytes(keccak(rlpEncode([senderBytes, rlpNumber(nonce)])))
}

function lastTwentyBytes(hash: Uint8Array): Address {
  return brandEvmAddress(`0x${Buffer.from(hash.subarray(12)).toString('hex')}`)
}
