import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concat } from '../hex.ts'
import { base58Of } from './base58.ts'

/** A key of the simulated chain, and its address. */
export interface TronWallet {
  /** 21 bytes in hex, beginning with 41. */
  readonly hex: string
  /** The same as people write it. */
  readonly address: string
  readonly key: Uint8Array
}

/** A wallet whose key follows from a text. For simulations alone. */
export function tronWallet(name: string): TronWallet {
  const key = sha256(new Uint8Array(Buffer.from(`tron wallet ${name}`)))
  const hex = addressOfPoint(secp256k1.getPublicKey(key, false))
  return { hex, address: base58Of(hex), key }
}

/** Signs the hash of a transaction: r, s, and which of the points it was. */
export function signTron(key: Uint8Array, hash: Uint8Array): Uint8Array {
  const signed = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' })
  return concat([signed.slice(1), signed.slice(0, 1)])
}

/** Signer of a hash, as 21 bytes in hex; null if the signature is invalid. */
export function signerOf(hash: Uint8Array, signature: Uint8Array): string | null {
  const last = signature[64]
  if (signature.length !== 65 || last === undefined) return null
  const recovery = last >= 27 ? last - 27 : last
  try {
    const compact = signature.slice(0, 64)
    const parsed = secp256k1.Signature.fromBytes(compact, 'compact').addRecoveryBit(recovery)
    return addressOfPoint(parsed.recoverPublicKey(hash).toBytes(false))
  } catch {
    return null
  }
}

function addressOfPoint(uncompressed: Uint8Array): string {
  const hash = keccak_256(uncompressed.slice(1)).slice(12)
  return `41${Buffer.from(hash).toString('hex')}`
}
