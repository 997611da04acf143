import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { assert } from '../base/assert.ts'
import type { Signature } from './sign-digest.ts'

const { Point } = secp256k1
const { Fn } = Point

const DIGEST_BYTES = 32
const NUMBER_BYTES = 32
/** BIP-340 allows constant auxiliary bytes: the nonce then follows from key and digest alone. */
const NO_AUXILIARY = new Uint8Array(32)

/**
 * Signs a digest of 32 bytes by BIP-340 with the tweaked key (BIP-341) of a P2TR output without
 * scripts (BIP-86). The library verifies the signature, because a computation fault could reveal
 * the key.
 */
export function signTaproot(privateKey: Uint8Array, digest: Uint8Array): Signature {
  assert(digest.length === DIGEST_BYTES, 'a digest must have 32 bytes', {
    length: digest.length,
  })
  const tweaked = tweakPrivateKey(privateKey)
  try {
    const bytes = schnorr.sign(digest, tweaked, NO_AUXILIARY)
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
  // Probability 2^-128 (BIP-341); the address could not have been derived either.
  assert(Fn.isValidNot0(tweak), 'a key without a valid tweak')
  return Fn.toBytes(Fn.add(even, tweak))
}

function xOf(point: InstanceType<typeof Point>): Uint8Array {
  return point.toBytes(true).subarray(1)
}

function numberOf(bytes: Uint8Array, from: number): bigint {
  return BigInt(`0x${Buffer.from(bytes.subarray(from, from + NUMBER_BYTES)).toString('hex')}`)
}
