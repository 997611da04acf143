import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { HDKey } from '@scure/bip32'
import { assert } from '../base/assert.ts'
import { tweakOf } from './derive.ts'
import { HARDENED, checkIndex } from './paths.ts'

const { Point } = secp256k1
const { Fn } = Point

/** A public key of 65 bytes that is said to lie at an index. */
export interface ClaimedKey {
  index: number
  key: Uint8Array
}

/**
 * Whether keys are those of a private branch at their indexes, all of them: k1·G + 2·k2·G + ... is
 * the same point as (k1 + 2·k2 + ...)·G, so one multiplication by a secret confirms them all. The
 * weights tell neighbours apart that were exchanged. It is a check against faults; keys that
 * somebody chose to pass it are none of what it looks for.
 */
export function confirmsKeys(branch: HDKey, claimed: readonly ClaimedKey[]): boolean {
  const { privateKey, publicKey, chainCode } = branch
  const isPrivate = privateKey !== null && publicKey !== null && chainCode !== null
  assert(isPrivate && claimed.length < HARDENED, 'a branch without its private half')
  let secret = Fn.ZERO
  let point = Point.ZERO
  const parent = Fn.fromBytes(privateKey)
  for (const [at, { index, key }] of claimed.entries()) {
    const weight = BigInt(at + 1)
    const child = Fn.add(parent, tweakOf({ chainCode, publicKey }, checkIndex(index)))
    secret = Fn.add(secret, Fn.mul(weight, child))
    point = point.add(Point.fromBytes(key).multiplyUnsafe(weight))
  }
  return Fn.is0(secret) ? point.is0() : Point.BASE.multiply(secret).equals(point)
}
