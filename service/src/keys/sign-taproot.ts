import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { assert } from '../base/assert.ts'
import type { Signature } from './sign-digest.ts'

const { Point } = secp256k1
const { Fn } = Point

const DIGEST_BYTES = 32
const NUMBER_BYTES = 32
/**
 * BIP-340 lets the auxiliary bytes be a constant: the nonce follows from key and digest then, so no
 * dice can betray the key, and what is signed again is the same.
 */
const NO_DICE = new Uint8Array(32)

/**
 * Signs a digest of 32 bytes by BIP-340, with the key that opens the P2TR output of a key without
 * scripts (BIP-86): tweaked by its own hash (BIP-341). The library verifies what it made, since a
 * fault on the way could show the key.
 */
export function signTaproot(privateKey: Uint8Array, digest: Uint8Array): Signature {
  assert(digest.length === DIGEST_BYTES, 'only a digest of 32 bytes is signed', {
    length: digest.length,
  })
  const tweaked = tweakPrivateKey(privateKey)
  try {
    const bytes = schnorr.sign(digest, tweaked, NO_DICE)
    return { r: numberOf(bytes, 0), s: numberOf(bytes, NUMBER_BYTES), recovery: 0 }
  } finally {
    tweaked.fill(0)
  }
}

/** `taproot_tweak_seckey` of BIP-341, for a key without scripts. */
export function tweakPrivateKey(privateKey: Uint8Array): Uint8Array {
  const scalar = Fn.fromBytes(privateKey)
  const point = Point.BASE.multiply(scalar)
  const even = point.y % 2n === 0n ? scalar : Fn.neg(scalar)
  const tweak = Fn.fromBytes(schnorr.utils.taggedHash('TapTweak', xOf(point)), true)
  // Once in 2^128 (BIP-341: the key cannot be used); the address would have had no key either.
  assert(Fn.isValidNot0(tweak), 'a key that no output can be made of')
  return Fn.toBytes(Fn.add(even, tweak))
}

function xOf(point: InstanceType<typeof Point>): Uint8Array {
  return point.toBytes(true).subarray(1)
}

function numberOf(bytes: Uint8Array, from: number): bigint {
  return BigInt(`0x${Buffer.from(bytes.subarray(from, from + NUMBER_BYTES)).toString('hex')}`)
}
