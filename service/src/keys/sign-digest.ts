import { secp256k1 } from '@noble/curves/secp256k1.js'
import { assert } from '../base/assert.ts'

/**
 * A secp256k1 signature: ECDSA with low s (BIP-62, EIP-2), or for P2TR BIP-340, in which r is the
 * x coordinate of the nonce point.
 */
export interface Signature {
  r: bigint
  s: bigint
  /**
   * Selects the public key: the parity of the nonce point's y, plus 2 if its x exceeds the order.
   * Always 0 for BIP-340.
   */
  recovery: number
}

const DIGEST_BYTES = 32

/** Signs a digest of 32 bytes with a deterministic nonce (RFC 6979). */
export function signDigest(privateKey: Uint8Array, digest: Uint8Array): Signature {
  assert(digest.length === DIGEST_BYTES, 'a digest must have 32 bytes', {
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
