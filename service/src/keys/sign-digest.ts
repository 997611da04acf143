import { secp256k1 } from '@noble/curves/secp256k1.js'
import { assert } from '../base/assert.ts'

/**
 * A signature over secp256k1: of ECDSA, with s in the lower half of the order (BIP-62, EIP-2), or
 * on paths of P2TR of BIP-340, where r is the x of the nonce point.
 */
export interface Signature {
  r: bigint
  s: bigint
  /**
   * Which of the possible public keys signed: the parity of the nonce point's y, and 2 where its x
   * passed the order. By BIP-340 that y is even, always: 0.
   */
  recovery: number
}

const DIGEST_BYTES = 32

/**
 * Signs a digest of 32 bytes; the nonce follows from key and digest (RFC 6979), so no dice can
 * betray the key.
 */
export function signDigest(privateKey: Uint8Array, digest: Uint8Array): Signature {
  assert(digest.length === DIGEST_BYTES, 'only a digest of 32 bytes is signed', {
    length: digest.length,
  })
  const bytes = secp256k1.sign(digest, privateKey, {
    prehash: false,
    lowS: true,
    extraEntropy: false,
    format: 'recovered',
  })
  const { r, s, recovery } = secp256k1.Signature.fromBytes(bytes, 'recovered')
  assert(recovery !== undefined, 'a signature without its recovery')
  return { r, s, recovery }
}
